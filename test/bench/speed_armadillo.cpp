// speed_armadillo.cpp - Armadillo's Gaussian mixture for `make bench`: speed_armadillo DATA N D K ITERATIONS
//
// Prints the seconds that reading and fitting take, and the greatest resident memory in MB.
#include <armadillo>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/resource.h>

static double
now()
{
	return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static arma::mat
read_matrix(const std::string &path, arma::uword rows, arma::uword columns)
{
	arma::mat	x(rows, columns);
	FILE	   *file = fopen(path.c_str(), "rb");

	if (file == nullptr || fread(x.memptr(), sizeof(double), x.n_elem, file) != x.n_elem)
		exit(1);
	fclose(file);
	return x;
}

int
main(int argc, char **argv)
{
	if (argc != 6)
		return 1;
	arma::uword n = strtoul(argv[2], nullptr, 10);
	arma::uword d = strtoul(argv[3], nullptr, 10);
	arma::uword k = strtoul(argv[4], nullptr, 10);
	double		started = now();
	arma::mat	x = read_matrix(argv[1], d, n);
	double		loaded = now();
	arma::cube	covariance(d, d, k);
	arma::rowvec weight(k);
	arma::gmm_full model;
	struct rusage usage;

	for (arma::uword i = 0; i < k; i++)
		covariance.slice(i).eye();
	weight.fill(1.0 / k);
	model.set_params(read_matrix(std::string(argv[1]) + ".means", d, k), covariance, weight);
	if (!model.learn(x, k, arma::eucl_dist, arma::keep_existing, 0, atoi(argv[5]), 1e-10, false))
		return 1;
	double		fitted = now();
	getrusage(RUSAGE_SELF, &usage);
	printf("%.3f %.3f %.0f\n", loaded - started, fitted - loaded, usage.ru_maxrss / 1024.0);
	return 0;
}
