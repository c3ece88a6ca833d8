# mlpack's Gaussian mixture for `make bench`: Rscript speed_mlpack.R DATA N D K ITERATIONS
# prints the seconds that reading and fitting take, and the greatest resident memory in MB.
arguments <- commandArgs(trailingOnly = TRUE)
shape <- as.integer(arguments[2:5])
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
suppressMessages(Rcpp::sourceCpp(file.path(here, "speed_mlpack.cpp"), cacheDir = dirname(arguments[1])))
started <- proc.time()[["elapsed"]]
x <- matrix(readBin(arguments[1], "double", shape[1] * shape[2]), nrow = shape[2])
means <- matrix(readBin(paste0(arguments[1], ".means"), "double", shape[2] * shape[3]), nrow = shape[2])
loaded <- proc.time()[["elapsed"]] - started
fitted <- fit_seconds(x, means, shape[4])
peak <- as.numeric(gsub("[^0-9]", "", grep("VmHWM", readLines("/proc/self/status"), value = TRUE))) / 1024
cat(sprintf("%.3f %.3f %.0f\n", loaded, fitted, peak))
