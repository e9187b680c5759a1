import { expect, test } from "vitest";
import { parseTypedNumber, writeNumber } from "./typed-number.ts";

test("a number is read as people write it", () => {
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

test("what is no number is not taken for one", () => {
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
  ]) {
    expect(parseTypedNumber(text), text).toBeNull();
  }
});

test("a number that stands in its field is read as itself again", () => {
  for (const number of [0, 7.5, 18, 75_000, 5_000_000]) {
    expect(parseTypedNumber(writeNumber(number))).toBe(number);
  }
  expect(writeNumber(5_000_000)).toBe("5,000,000");
});
