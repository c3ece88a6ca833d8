// speed_mlpack.cpp - mlpack's Gaussian mixture from a given start, for `make bench`; run by speed_mlpack.R.
// [[Rcpp::depends(RcppMLPACK)]]
#include <RcppMLPACK.h>
#include <chrono>

using mlpack::gmm::EMFit;
using mlpack::gmm::GMM;

// x: d * n, a row of the table per column; means: d * k.  Seconds of the fit alone.
// [[Rcpp::export]]
double fit_seconds(const arma::mat &x, const arma::mat &means, int iterations)
{
	size_t		k = means.n_cols;
	std::vector<arma::vec> mean;
	std::vector<arma::mat> covariance(k, arma::eye(x.n_rows, x.n_rows));
	arma::vec	weight(k);
	EMFit<>		fitter(iterations, -1);		// no tolerance: all iterations

	weight.fill(1.0 / k);
	for (size_t i = 0; i < k; i++)
		mean.push_back(means.col(i));
	GMM<>		model(mean, covariance, weight, fitter);
	auto		start = std::chrono::steady_clock::now();

	model.Estimate(x, 1, true);
	return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
