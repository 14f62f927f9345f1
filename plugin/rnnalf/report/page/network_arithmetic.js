"use strict";
// The arithmetic of the program's kernels (acceptor/kernels.inl), with the same bits: every operation
// is correctly rounded to a float or a double, products are chains of fused multiply-adds in index
// order. JavaScript has neither floats nor fused operations, so both are made here.

/** The midpoint between the largest float and the number that rounds to infinity. */
const FLOAT_OVERFLOW = 2 ** 128 - 2 ** 103, LARGEST_FLOAT = 2 ** 128 - 2 ** 104;

/** a b + c for floats, rounded once. The product of two floats is exact in double. */
function fmaFloat(a, b, c) {
  const product = a * b, sum = product + c, near = Math.fround(sum), off = sum - near;
  // Rounding twice, to double and to float, goes wrong only where the double is half way between two floats.
  return off === 0 || Math.fround(sum + off) !== sum + off ? near : fromMidpoint(product, c, sum, near);
}

/** The float nearest to product + c, when `sum`, that rounded to double, is half way between `near` and another float. */
function fromMidpoint(product, c, sum, near) {
  const added = sum - product, rest = product - (sum - added) + (c - added);  // product + c = sum + rest
  if (!Number.isFinite(near)) return Math.abs(sum) === FLOAT_OVERFLOW && rest * sum < 0 ? Math.sign(sum) * LARGEST_FLOAT : near;
  if (!rest) return near;  // really half way, which fround has decided
  const other = sum + (sum - near);
  return rest > 0 === other > near ? other : near;
}

const wholeDouble = new DataView(new ArrayBuffer(8));

/** a + b rounded to odd: where it is no double, that one of its two neighbours whose last bit is 1. */
function addToOdd(a, b) {
  const sum = a + b, added = sum - a, rest = a - (sum - added) + (b - added);
  if (!rest) return sum;
  wholeDouble.setFloat64(0, sum);
  const bits = wholeDouble.getBigInt64(0);
  if (bits & 1n) return sum;
  wholeDouble.setBigInt64(0, rest > 0 === sum > 0 ? bits + 1n : bits - 1n);
  return wholeDouble.getFloat64(0);
}

/** a b + c for doubles, rounded once: Boldo and Melquiond's sum of three numbers, the middle one rounded to odd. */
function fmaDouble(a, b, c) {
  const high = a * b, size = Math.abs(high);
  if (a === 0 || b === 0) return high + c;
  if (!(size > 1e-250 && size < 1e250 && Math.abs(a) < 1e150 && Math.abs(b) < 1e150 && Math.abs(c) < 1e250)) return fmaExactly(a, b, c);
  // high + low = a b, by halves of a and b.
  const wideA = 134217729 * a, wideB = 134217729 * b;
  const a1 = wideA - (wideA - a), a2 = a - a1, b1 = wideB - (wideB - b), b2 = b - b1;
  const low = a1 * b1 - high + a1 * b2 + a2 * b1 + a2 * b2;
  const t = c + low, tAdded = t - c, tRest = c - (t - tAdded) + (low - tAdded);
  const v = high + t, vAdded = v - high, vRest = high - (v - vAdded) + (t - vAdded);
  return v + addToOdd(tRest, vRest);
}

/** The same by whole numbers of any size: slow, for the ends of the exponents' range. */
function fmaExactly(a, b, c) {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a * b + c;
  if (!Number.isFinite(c)) return c;
  const parts = (x) => {
    wholeDouble.setFloat64(0, x);
    const bits = wholeDouble.getBigUint64(0), exponent = Number(bits >> 52n & 0x7ffn), fraction = bits & 0xfffffffffffffn;
    const whole = exponent ? fraction | 1n << 52n : fraction;
    return [x < 0 ? -whole : whole, (exponent || 1) - 1075];
  };
  const [ma, ea] = parts(a), [mb, eb] = parts(b), [mc, ec] = parts(c);
  const e = Math.min(ea + eb, ec);
  const sum = (ma * mb << BigInt(ea + eb - e)) + (mc << BigInt(ec - e));
  if (sum === 0n) return a * b + c;  // the sign of zero
  const whole = sum < 0n ? -sum : sum;
  const unit = Math.max(whole.toString(2).length + e - 53, -1074), shift = BigInt(unit - e);
  let kept = whole;
  if (shift <= 0n) kept <<= -shift;
  else {
    kept >>= shift;
    const rest = whole - (kept << shift), half = 1n << shift - 1n;
    if (rest > half || (rest === half && kept & 1n)) kept += 1n;
  }
  const number = unit > 900 ? Number(kept) * 2 ** 900 * 2 ** (unit - 900) : Number(kept) * powerOfTwo(unit);
  return sum < 0n ? -number : number;
}

/** 2^n, also where that is subnormal. */
function powerOfTwo(n) {
  if (n < -1022) return powerOfTwo(n + 60) * powerOfTwo(-60);
  wholeDouble.setUint32(0, n + 1023 << 20);
  wholeDouble.setUint32(4, 0);
  return wholeDouble.getFloat64(0);
}

const INVERSE_FACTORIAL = [1, 1, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040, 1 / 40320, 1 / 362880, 1 / 3628800, 1 / 39916800,
  1 / 479001600, 1 / 6227020800];

/** The numbers of a kind of arithmetic: the constants of kernels.inl. */
const FLOAT = {
  round: Math.fround, fma: fmaFloat, log2e: Math.fround(1.4426950408889634), shift: 12582912, ln2High: Math.fround(0.693359375),
  ln2Low: Math.fround(-2.12194440e-4), terms: 7, sigmoidLimit: 87, tanhLimit: 20, inverseFactorial: INVERSE_FACTORIAL.map(Math.fround),
};
const DOUBLE = {
  round: (x) => x, fma: fmaDouble, log2e: 1.4426950408889634, shift: 6755399441055744, ln2High: 6.93145751953125e-1,
  ln2Low: 1.42860682030941723212e-6, terms: 13, sigmoidLimit: 700, tanhLimit: 40, inverseFactorial: INVERSE_FACTORIAL,
};

/** x = n ln 2 + r: 2^n and e^r - 1. */
function reduced(kind, x) {
  const shifted = kind.fma(x, kind.log2e, kind.shift), n = kind.round(shifted - kind.shift);
  const r = kind.fma(n, -kind.ln2Low, kind.fma(n, -kind.ln2High, x));
  let sum = kind.inverseFactorial[kind.terms];
  for (let i = kind.terms - 1; i >= 1; --i) sum = kind.fma(sum, r, kind.inverseFactorial[i]);
  return [powerOfTwo(n), kind.round(sum * r)];
}

// As the vector instructions have it: the second one when one is not a number, which therefore stays so if it stands there.
const lesser = (a, b) => (a < b ? a : b);
const greater = (a, b) => (a > b ? a : b);

const relu = (kind, x) => greater(0, x) + 0;  // adding 0 makes 0 of -0

function sigmoid(kind, x) {
  const [power, tail] = reduced(kind, greater(-kind.sigmoidLimit, lesser(kind.sigmoidLimit, 0 - x)));
  return kind.round(1 / kind.round(1 + kind.fma(power, tail, power)));
}

function tanh(kind, x) {
  const [power, tail] = reduced(kind, greater(-kind.tanhLimit, lesser(kind.tanhLimit, kind.round(x + x))));
  const m = kind.fma(power, tail, kind.round(power - 1));
  return kind.round(m / kind.round(m + 2));
}

/** P(N <= x) of a standard normal N, in double whatever the kind. */
function normalDistribution(x) {
  if (x > 8.5) return 1;
  if (x < -8.5) return 0;
  const y = x * 0.70710678118654752440;
  const [power, tail] = reduced(DOUBLE, lesser(0, greater(-700, -(y * y))));
  let term = y, sum = y;
  for (let n = 1; n < 200 && Math.abs(term) > 1e-18 * Math.abs(sum); ++n) {
    term *= 2 * y * y / (2 * n + 1);
    sum += term;
  }
  return 0.5 + 0.56418958354775628695 * fmaDouble(power, tail, power) * sum;
}

/** exp(-|x|) */
function decay(kind, x) {
  const [power, tail] = reduced(kind, lesser(0, greater(-kind.sigmoidLimit, -Math.abs(x))));
  return kind.fma(power, tail, power);
}

/** log(1 + y) for 0 <= y <= 1, in double. */
function logOfOnePlus(y) {
  const s = y / (2 + y);
  let sum = 0;
  for (let n = 37; n >= 1; n -= 2) sum = sum * (s * s) + 1 / n;
  return 2 * s * sum;
}

/** The activations of acceptor/activate.cpp, by their names; s is the slope. */
const ACTIVATIONS = {
  none: (k, x) => x,
  relu,
  tanh,
  sigmoid,
  "leaky-relu": (k, x, s) => (x < 0 ? k.round(x * s) : x),
  elu: (k, x, s) => {
    if (x > 0) return x;
    const t = tanh(k, k.round(x / 2));
    return k.round(s * k.round(2 * t / k.round(1 - t)));
  },
  gelu: (k, x) => k.round(x * normalDistribution(x)),
  "gelu-tanh": (k, x) => {
    const cube = k.round(k.round(k.round(k.round(0.044715) * x) * x) * x);
    const t = tanh(k, k.round(k.round(0.79788456080286535588) * k.round(x + cube)));
    return k.round(k.round(x * k.round(1 + t)) / 2);
  },
  silu: (k, x) => k.round(x * sigmoid(k, x)),
  "hard-sigmoid": (k, x, s) => {
    const y = k.round(k.round(s * x) + 0.5);
    return y < 0 ? 0 : y > 1 ? 1 : y;
  },
  softsign: (k, x) => k.round(x / k.round(1 + Math.abs(x))),
  erf: (k, x) => k.round(2 * normalDistribution(x * 1.41421356237309504880) - 1),
  sqrt: (k, x) => k.round(Math.sqrt(x)),
  exp: (k, x) => (x > 0 ? k.round(1 / decay(k, x)) : decay(k, x)),
  softplus: (k, x) => k.round((x < 0 ? 0 : x) + logOfOnePlus(decay(k, x))),
};

/** The layer normalisation, in double whatever the kind. */
function normalised(kind, x, epsilon) {
  let mean = 0, variance = 0;
  for (const value of x) mean += value;
  mean /= x.length;
  for (const value of x) variance += (value - mean) * (value - mean);
  const scale = Math.sqrt(variance / x.length + epsilon);
  return x.map((value) => kind.round((value - mean) / scale));
}

/** weights x + bias; weights row by row, all of them numbers of the kind. */
function product(kind, {rows, cols, values}, bias, x) {
  const out = new Float64Array(rows);
  for (let row = 0, at = 0; row < rows; ++row) {
    let sum = bias[row];
    if (kind === FLOAT) {
      // fmaFloat, written out: this loop is where the time goes.
      for (let k = 0; k < cols; ++k, ++at) {
        const term = values[at] * x[k], wide = term + sum, near = Math.fround(wide), off = wide - near;
        sum = off === 0 || Math.fround(wide + off) !== wide + off ? near : fromMidpoint(term, sum, wide, near);
      }
    } else {
      for (let k = 0; k < cols; ++k, ++at) sum = fmaDouble(values[at], x[k], sum);
    }
    out[row] = sum;
  }
  return out;
}
