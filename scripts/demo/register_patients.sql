SELECT dp_register_column('patients', 'age', 18, 100);
SELECT dp_register_column('patients', 'systolic_bp', 80, 220);
SELECT dp_register_column('patients', 'bmi', 10, 60);
