#!/usr/bin/env python3
"""Reference values of privacy arithmetic, with 30 digits in mpmath: nothing of src is used.

    python3 accountant.py            writes accountant.json beside this file: entries of kind, inputs, expect, rel_tol
    python3 accountant.py check FILE [N]
                                     computes every (every Nth) entry of FILE again, and prints the largest relative differences

Natural logarithms; null: infeasible or not applicable.  J iterations for K components are J(K+1) Laplace and JK Gaussian
releases (LLG) or J(2K+1) Gaussian ones (GGG), all with epsilon_i; the Gaussian ones have sigma = sqrt(2 ln(1.25/delta_i)) / epsilon_i.

[DPEM] Park, Foulds, Chaudhuri, Welling 2017; [BS] Bun, Steinke 2016; [CKS] Canonne, Kamath, Steinke 2020, proposition 12;
[GDP] Dong, Roth, Su 2022, corollary 2.13; [WBK] Wang, Balle, Kasiviswanathan 2019, theorem 9; [MTZ] Mironov, Talwar, Zhang 2019.
"""
import itertools
import json
import os
import sys

from mpmath import binomial, erfc, exp, findroot, inf, log, log1p, mp, mpf, sqrt

mp.dps = 30


# ---- curves -------------------------------------------------------------------

def root(f, low, high):
    """Where an increasing f crosses zero, to 18 digits: by secants, or where they do not see it by halving."""
    while f(high) < 0:
        high *= 2
    while f(low) > 0:
        low /= 2
    x = findroot(f, (low, high), solver='anderson', tol=mpf(10) ** -50, maxsteps=50, verify=False)
    margin = mpf(10) ** -18
    if f(x * (1 - margin)) <= 0 <= f(x * (1 + margin)):
        return x
    while high - low > margin * high:
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return high


def least(f, low, high):
    """The least value of a unimodal f of log x, and where it is: golden section."""
    share = (sqrt(mpf(5)) - 1) / 2
    low, high = log(mpf(low)), log(mpf(high))
    a, b = high - share * (high - low), low + share * (high - low)
    at_a, at_b = f(exp(a)), f(exp(b))
    while high - low > mpf(10) ** -16:
        if at_a < at_b:
            high, b, at_b = b, a, at_a
            a = high - share * (high - low)
            at_a = f(exp(a))
        else:
            low, a, at_a = a, b, at_b
            b = low + share * (high - low)
            at_b = f(exp(b))
    return f(exp(a)), exp(a)


def phi(x):
    return erfc(-x / sqrt(mpf(2))) / 2


def gdp_delta(mu, eps):
    return phi(-eps / mu + mu / 2) - exp(eps) * phi(-eps / mu - mu / 2)


def gdp_eps(mu, delta):
    if gdp_delta(mu, mpf(0)) <= delta:
        return mpf(0)
    return root(lambda eps: log(delta / gdp_delta(mu, eps)), mpf('1e-12'), mpf(1))


def gdp_mu(eps, delta):
    return root(lambda mu: log(gdp_delta(mu, eps) / delta), mpf('1e-3') * eps / sqrt(log(1 / delta)), eps)


def zcdp_eps(rho, delta):
    return rho + 2 * sqrt(rho * log(1 / delta))


def tight(rho_of, delta):
    """[CKS]: least over alpha = 1 + x of rho(alpha) + (ln(1/delta) + x ln(1 - 1/alpha) - ln(alpha)) / x."""
    eps, _ = least(lambda x: rho_of(1 + x) + (log(1 / delta) - log1p(x)) / x - log1p(1 / x), '1e-8', '1e12')
    return max(eps, mpf(0))


def zcdp_eps_tight(rho, delta):
    return tight(lambda alpha: alpha * rho, delta)


def zcdp_delta_tight(rho, eps):
    value, _ = least(lambda x: x * ((1 + x) * rho - eps) - log(x) - (1 + x) * log1p(1 / x), '1e-8', '1e12')
    return exp(value)


def zcdp_rho(eps, delta):
    return (sqrt(log(1 / delta) + eps) - sqrt(log(1 / delta))) ** 2


def zcdp_rho_tight(eps, delta):
    return root(lambda rho: zcdp_eps_tight(rho, delta) - eps, zcdp_rho(eps, delta), eps)


def moment_laplace(lam, eps):
    """[DPEM] section 3.3: lam times the Renyi divergence of order lam + 1."""
    return log((lam + 1) / (2 * lam + 1) * exp(lam * eps) + lam / (2 * lam + 1) * exp(-(lam + 1) * eps))


def moment_gauss(lam, mu):
    return lam * (lam + 1) * mu ** 2 / 2


def rdp_poisson(q, sigma, alpha):
    """[MTZ] section 3.3, integer orders."""
    terms = (binomial(alpha, j) * (1 - q) ** (alpha - j) * q ** j * exp(j * (j - 1) / (2 * sigma ** 2)) for j in range(alpha + 1))
    return log(sum(terms)) / (alpha - 1)


def rdp_without_replacement(q, sigma, alpha):
    """[WBK] theorem 9 for the Gaussian mechanism, whose epsilon(infinity) is infinite."""
    def rdp(j):
        return j / (2 * sigma ** 2)

    total = 1 + q ** 2 * binomial(alpha, 2) * min(4 * (exp(rdp(2)) - 1), 2 * exp(rdp(2)))
    for j in range(3, alpha + 1):
        total += 2 * q ** j * binomial(alpha, j) * exp((j - 1) * rdp(mpf(j)))
    return log(total) / (alpha - 1)


# ---- schedules of [DPEM] --------------------------------------------------------

class Schedule:
    def __init__(self, inputs):
        j, k = inputs['J'], inputs['K']
        self.gaussian = j * k if inputs['scenario'] == 'LLG' else j * (2 * k + 1)
        self.laplace = j * (2 * k + 1) - self.gaussian
        self.delta_i = mpf(inputs['delta_i'])
        self.sigma2 = 2 * log(mpf('1.25') / self.delta_i)

    def rho(self, e):
        return (self.laplace * e ** 2 + self.gaussian * e ** 2 / self.sigma2) / 2

    def linear(self, e, delta):
        return (self.laplace + self.gaussian) * e if self.gaussian * self.delta_i <= delta else None

    def advanced(self, e, delta):
        slack = delta - self.gaussian * self.delta_i
        n = self.laplace + self.gaussian
        return sqrt(2 * n * log(1 / slack)) * e + n * e * (exp(e) - 1) if slack > 0 else None

    def exact(self, e, delta):
        return gdp_eps(sqrt(self.gaussian / self.sigma2) * e, delta) if self.laplace == 0 else None

    def moments(self, e, delta, most=None, real=False):
        """epsilon by log moments, and the best order."""
        def eps(lam):
            return (self.laplace * moment_laplace(lam, e) + self.gaussian * moment_gauss(lam, e / sqrt(self.sigma2)) + log(1 / delta)) / lam

        value, lam = least(eps, '1e-4', '1e9')
        if real:
            return value, lam
        below = max(int(lam), 1)
        orders = [min(order, most) if most else order for order in (below, below + 1)]
        return min((eps(mpf(order)), order) for order in orders)


MOST = {'ma_int': None, 'ma_int32': 32, 'ma_int100': 100}


def total_of(schedule, method, e, delta):
    if method == 'lin':
        return schedule.linear(e, delta)
    if method == 'adv':
        return schedule.advanced(e, delta)
    if method == 'zcdp':
        return zcdp_eps(schedule.rho(e), delta)
    if method == 'zcdp_cks':
        return zcdp_eps_tight(schedule.rho(e), delta)
    if method == 'gdp_exact':
        return schedule.exact(e, delta)
    return schedule.moments(e, delta, MOST.get(method), method == 'ma_real')[0]


def affordable(schedule, method, eps, delta):
    """The greatest epsilon_i that costs at most epsilon, or None."""
    if method == 'zcdp':
        return sqrt(zcdp_rho(eps, delta) / schedule.rho(mpf(1)))
    if method == 'zcdp_cks':
        return sqrt(zcdp_rho_tight(eps, delta) / schedule.rho(mpf(1)))
    if method == 'gdp_exact':
        return gdp_mu(eps, delta) / sqrt(schedule.gaussian / schedule.sigma2) if schedule.laplace == 0 else None
    tiny = total_of(schedule, method, mpf('1e-30'), delta)
    if tiny is None or tiny >= eps:
        return None
    return root(lambda e: total_of(schedule, method, e, delta) - eps, eps * mpf('1e-6'), eps)


# ---- the kinds ----------------------------------------------------------------

def eps_i(i):
    schedule, eps, delta = Schedule(i), mpf(i['eps']), mpf(i['delta'])
    e = affordable(schedule, i['method'], eps, delta)
    if e is None:
        return {'feasible': False, 'eps_i': None}
    out = {'feasible': True, 'eps_i': e, 'eps_i_below_1': bool(e < 1), 'sigma_over_sens_gauss': sqrt(schedule.sigma2) / e}
    if schedule.laplace:
        out['laplace_b_over_sens'] = 1 / e
    if i['method'] == 'gdp_exact':
        out['mu'] = gdp_mu(eps, delta)
    if i['method'].startswith('ma'):
        out['lam'] = schedule.moments(e, delta, MOST.get(i['method']), i['method'] == 'ma_real')[1]
    return out


def total(i):
    schedule, e, delta = Schedule(i), mpf(i['eps_i']), mpf(i['delta'])
    return {'lin_eps': (schedule.laplace + schedule.gaussian) * e, 'lin_delta': schedule.gaussian * schedule.delta_i,
            'adv_eps': schedule.advanced(e, delta), 'zcdp_eps': zcdp_eps(schedule.rho(e), delta),
            'zcdp_eps_cks': zcdp_eps_tight(schedule.rho(e), delta), 'gdp_eps': schedule.exact(e, delta)}


def dp_to_budget(i):
    eps, delta = mpf(i['eps']), mpf(i['delta'])
    sigma = sqrt(2 * log(mpf('1.25') / delta)) / eps
    mu = gdp_mu(eps, delta)
    return {'mu_exact': mu, 'analytic_sigma_sens1': 1 / mu, 'classical_sigma_sens1': sigma, 'classical_true_delta': gdp_delta(1 / sigma, eps),
            'rho_basic': zcdp_rho(eps, delta), 'rho_cks': zcdp_rho_tight(eps, delta)}


def zcdp_delta(i):
    rho, eps = mpf(i['rho']), mpf(i['eps'])
    return {'delta_basic': exp(-(eps - rho) ** 2 / (4 * rho)), 'delta_cks': zcdp_delta_tight(rho, eps)}


def rdp_total(i):
    out = {}
    for name, curve in (('poisson', rdp_poisson), ('wor', rdp_without_replacement)):
        rdp = {alpha: i['T'] * curve(mpf(i['q']), mpf(i['sigma']), alpha) for alpha in range(2, 65)}
        log_inverse = log(1 / mpf(i['delta']))
        best = min((rdp[a] + log(1 - mpf(1) / a) + (log_inverse - log(a)) / (a - 1), a) for a in rdp)
        out[name + '_eps_basic'] = min(rdp[a] + log_inverse / (a - 1) for a in rdp)
        out[name + '_eps_cks'], out[name + '_order_cks'] = best
    return out


def joint_sens_sq(k, w0, w1, w2, replace):
    """Squared norm of r x (w0, w1 x, w2 x x') changed: r on the simplex, x in the unit ball, c the cosine between two x."""
    a, b, c = w0 ** 2, w1 ** 2, w2 ** 2
    if not replace:
        return a + b + c
    bent = -b ** 2 / (4 * c) if b <= 2 * c else c - b
    return 2 * (a + b + c) - 2 * (a + bent if k == 1 else min(mpf(0), a + bent))


def joint_sigma(i):
    d, replace = i['d'], i['adjacency'] == 'replace'
    parts = [mpf(1), mpf(d), mpf(d * (d + 1)) / 2]
    w = [p ** mpf('0.25') if i['alloc'] == 'sqrtdim' else mpf(1) for p in parts]
    norm = sqrt(sum(x ** 2 for x in w))
    mu = gdp_mu(mpf(i['eps']), mpf(i['delta'])) / sqrt(mpf(i['J']))
    return {'mu_iter': mu, 'delta2_unit': joint_sens_sq(3, *(x / norm for x in w), replace)}


KINDS = {
    'eps_i': eps_i,
    'total': total,
    'zcdp_to_dp': lambda i: {'eps_basic': zcdp_eps(mpf(i['rho']), mpf(i['delta'])), 'eps_cks': zcdp_eps_tight(mpf(i['rho']), mpf(i['delta']))},
    'zcdp_delta': zcdp_delta,
    'dp_to_budget': dp_to_budget,
    'gdp_delta': lambda i: {'delta': gdp_delta(mpf(i['mu']), mpf(i['eps']))},
    'gdp_eps': lambda i: {'eps': gdp_eps(mpf(i['mu']), mpf(i['delta']))},
    'alpha_laplace': lambda i: {'alpha': moment_laplace(mpf(i['lam']), mpf(i['eps_i']))},
    'rdp_poisson_gauss': lambda i: {'rdp': rdp_poisson(mpf(i['q']), mpf(i['sigma']), i['alpha'])},
    'rdp_wor_thm9': lambda i: {'rdp': rdp_without_replacement(mpf(i['q']), mpf(i['sigma']), i['alpha'])},
    'rdp_total': rdp_total,
    'joint_sens_sq': lambda i: {'delta2': joint_sens_sq(i['K'], mpf(i['w0']), mpf(i['w1']), mpf(i['w2']), i['adjacency'] == 'replace')},
    'joint_sigma': joint_sigma,
}

# ---- what is computed ---------------------------------------------------------

METHODS = ['lin', 'adv', 'zcdp', 'zcdp_cks', 'ma_int', 'ma_int32', 'ma_int100', 'ma_real', 'gdp_exact']


def grid(**values):
    return [dict(zip(values, row)) for row in itertools.product(*values.values())]


def inputs():
    schedules = grid(J=[1, 10], K=[1, 3], delta_i=['1e-6', '1e-8'], scenario=['LLG', 'GGG'])
    budgets = [('0.1', '1e-4'), ('0.5', '1e-6'), ('1', '1e-4'), ('4', '1e-5')]
    yield from (('eps_i', dict(s, eps=eps, delta=delta, method=METHODS[(n + m) % 9]))
                for n, s in enumerate(schedules) for m, (eps, delta) in enumerate(budgets * 2)
                if s['scenario'] == 'GGG' or METHODS[(n + m) % 9] != 'gdp_exact')
    yield from (('eps_i', dict(J=10, K=3, delta_i='1e-8', scenario=s, eps='1', delta='1e-4', method=m))
                for s in ('LLG', 'GGG') for m in METHODS if s == 'GGG' or m != 'gdp_exact')
    yield from (('total', dict(s, eps_i=e, delta='1e-5')) for s in schedules[::3] for e in ('0.01', '0.3'))
    yield from (('zcdp_to_dp', i) for i in grid(rho=['1e-4', '0.01', '0.5', '4'], delta=['1e-4', '1e-8']))
    yield from (('zcdp_delta', i) for i in grid(rho=['0.01', '0.3'], eps=['0.5', '3']))
    yield from (('dp_to_budget', i) for i in grid(eps=['0.1', '0.5', '1', '4', '10'], delta=['1e-4', '1e-6', '1e-9']))
    yield from (('gdp_delta', i) for i in grid(mu=['0.01', '0.3', '1', '4'], eps=['0', '0.1', '1', '5']) if i['mu'] != '0.01' or float(i['eps']) < 1)
    yield from (('gdp_eps', i) for i in grid(mu=['0.01', '0.5', '1', '5'], delta=['1e-4', '1e-6']))
    yield from (('alpha_laplace', i) for i in grid(lam=['1', '2.5', '32', '500'], eps_i=['1e-3', '0.5', '3']))
    for kind in ('rdp_poisson_gauss', 'rdp_wor_thm9'):
        yield from ((kind, i) for i in grid(q=['0.001', '0.01', '0.2'], sigma=['0.8', '1.1', '4'], alpha=[2, 3, 16]))
    yield from (('rdp_total', i) for i in grid(q=['0.01', '0.1'], sigma=['1.1', '4'], T=[100], delta=['1e-6'], orders=['2..64']))
    yield from (('joint_sens_sq', i) for i in grid(K=[1, 3], w0=['1', '0.1'], w1=['1', '0.3', '2'], w2=['1', '0.7'], adjacency=['replace', 'add']))
    yield from (('joint_sigma', i) for i in grid(d=[2, 10], J=[1, 10], eps=['0.1', '1'], delta=['1e-6'], alloc=['equal', 'sqrtdim'], adjacency=['replace', 'add']))


def text(value):
    return mp.nstr(value, 20) if isinstance(value, mpf) else value


def write(path):
    seen, entries = set(), []
    for kind, i in inputs():
        if json.dumps([kind, i], sort_keys=True) not in seen:
            seen.add(json.dumps([kind, i], sort_keys=True))
            entries.append({'kind': kind, 'rel_tol': '1e-9' if kind in ('gdp_delta', 'alpha_laplace') else '1e-10', 'inputs': i,
                            'expect': {name: text(value) for name, value in KINDS[kind](i).items()}})
    with open(path, 'w') as out:
        out.write('{"entries": [\n' + ',\n'.join(json.dumps(e, separators=(',', ':')) for e in entries) + '\n]}\n')


def relative(got, expected):
    if expected is None or got is None or isinstance(expected, bool):
        return 0 if got == expected else inf
    return abs(mpf(got) - mpf(expected)) / abs(mpf(expected)) if mpf(expected) != 0 else abs(mpf(got))


def check(path, step):
    worst = {}
    for entry in json.load(open(path))['entries'][::step]:
        if entry['kind'] in KINDS:
            got = KINDS[entry['kind']](entry['inputs'])
            for name, value in got.items():
                key = entry['kind'], name
                worst[key] = max(worst.get(key, 0), relative(value, entry['expect'].get(name)))
    for key, value in worst.items():
        print(*key, mp.nstr(mpf(value), 2))


if __name__ == '__main__':
    if sys.argv[1:2] == ['check']:
        check(sys.argv[2], int((sys.argv + ['1'])[3]))
    else:
        write(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'accountant.json'))
