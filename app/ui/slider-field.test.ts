import { expect, test } from "vitest";
import { fitToRange, formatNumber, parseTypedNumber, scaleOf } from "./slider-field.tsx";

test("a number is parsed as people type it", () => {
  for (const [text, number] of [
    ["75000", 75_000],
    ["75,000", 75_000],
    ["$75,000", 75_000],
    [" $ 1,250,000.50 ", 1_250_000.5],
    ["75 000", 75_000],
    ["75k", 75_000],
    ["1.2M", 1_200_000],
    ["7.5%", 7.5],
    ["7.5 %", 7.5],
    ["-5", -5],
    ["0", 0],
  ] as const) {
    expect(parseTypedNumber(text), text).toBe(number);
  }
});

test("a number is parsed as it is pasted, with what came along", () => {
  for (const text of [
    ...["\u202a$120,000\u202c", "\u2066120,000\u2069", "\u200e120\u00a0000", "120\u202f000"],
    ...[
      "120\u200b000",
      "\ufeff120000",
      "US$120,000",
      "US $120,000.00",
      "USD 120,000",
      "120,000 USD",
    ],
    ...["$120,000/yr", "$120,000 / year", "$120,000 per year", "$120,000 a year", "$120k/yr."],
    ...["$120,000 annually", "$120,000 p.a.", "$120,000 per annum", "$120k yearly"],
    ...["１２０，０００", "＄１２０，０００", "120’000", "120'000"],
  ]) {
    expect(parseTypedNumber(text, "year"), text).toBe(120_000);
  }
  for (const [text, number] of [
    ["١٢٠٬٠٠٠", 120_000],
    ["۱۲۰۰۰۰", 120_000],
    ["1.5 million", 1_500_000],
    ["120 thousand", 120_000],
    ["+120,000", 120_000],
    ["120,000 dollars", 120_000],
    ["7,5 %", 7.5],
    ["120.000,00", 120_000],
    ["1.250.000", 1_250_000],
    ["1,20,000", 120_000],
    ["−5", -5],
    ["–5", -5],
  ] as const) {
    expect(parseTypedNumber(text), text).toBe(number);
  }
  expect(parseTypedNumber("$500/mo", "month")).toBe(500);
  expect(parseTypedNumber("$500 a month", "month")).toBe(500);
  expect(parseTypedNumber("$500 monthly", "month")).toBe(500);
});

test("a number for another period is not taken for that of the field", () => {
  expect(parseTypedNumber("$10,000/mo", "year")).toBeNull();
  expect(parseTypedNumber("$6,000 per year", "month")).toBeNull();
  expect(parseTypedNumber("$6,000/yr")).toBeNull();
  expect(parseTypedNumber("$6,000 annually", "month")).toBeNull();
});

test("other text is not a number", () => {
  for (const text of [
    "",
    " ",
    "$",
    ",",
    ",,",
    "ten",
    "1e9",
    "0x10",
    "1.2.3",
    "5-",
    "Infinity",
    "NaN",
    "us",
    "usd",
    "120,000/",
    "120,000 each",
    "120.000,00.5",
    "$120,000¹",
    "10²",
    "7½",
    "$100,000–$150,000",
    "€120,000",
  ]) {
    expect(parseTypedNumber(text), text).toBeNull();
  }
});

test("a formatted number is parsed as the same number", () => {
  const byIntl = new Intl.NumberFormat("en-US");
  for (const number of [0, 7.5, 18, 999, 1_000, 75_000, 1234.567, 5_000_000, -1_500, -100]) {
    expect(parseTypedNumber(formatNumber(number))).toBe(number);
    expect(formatNumber(number)).toBe(byIntl.format(number));
  }
});

test("a typed number moves to the nearest value that the slider has", () => {
  const dollars = { min: 20_000, max: 5_000_000, step: 5_000, initial: 75_000 };
  expect(fitToRange(76_999, dollars)).toBe(75_000);
  expect(fitToRange(77_500, dollars)).toBe(80_000);
  expect(fitToRange(-5, dollars)).toBe(20_000);
  expect(fitToRange(9e9, dollars)).toBe(5_000_000);
  expect(fitToRange(Number.NaN, dollars)).toBe(20_000);
  expect(fitToRange(7.3, { min: 1, max: 15, step: 0.5, initial: 7 })).toBe(7.5);
});

test("a position on the track and its number lead to each other, for every step", () => {
  for (const [min, max, step] of [
    [20_000, 5_000_000, 5_000],
    [0, 1_000_000, 10_000],
    [0, 5_000, 50],
    [18, 80, 1],
    [1, 15, 0.5],
  ] as const) {
    const range = { min, max, step, initial: min };
    for (const isLogarithmic of [true, false]) {
      const scale = scaleOf(range, isLogarithmic);
      expect([scale.shareOf(min), scale.shareOf(max)]).toEqual([0, 1]);
      for (let value = min; value <= max; value += step) {
        expect(fitToRange(scale.valueAt(scale.shareOf(value)), range)).toBe(value);
      }
      expect(fitToRange(scale.valueAt(-1), range)).toBe(min);
      expect(fitToRange(scale.valueAt(2), range)).toBe(max);
    }
  }
});

test("usual amounts have room on a logarithmic track", () => {
  const income = scaleOf({ min: 20_000, max: 5_000_000, step: 5_000, initial: 75_000 }, true);
  expect(income.shareOf(250_000) - income.shareOf(50_000)).toBeGreaterThan(0.25);
  expect(income.shareOf(25_000)).toBeLessThan(0.1);
});

test("a range of one number has its thumb at the end", () => {
  const scale = scaleOf({ min: 81, max: 81, step: 1, initial: 65 }, false);
  expect([scale.shareOf(81), scale.valueAt(0.3)]).toEqual([1, 81]);
});
