import type { Locator, Page } from "@playwright/test";
import { delayScripts, expect, openPage, test } from "./test.ts";

/** Finds a calculator by its title. */
function calculator(page: Page, title: string): Locator {
  return page.locator("section", { has: page.getByRole("heading", { name: title }) });
}

test("two calculators stand side by side, with sliders, a note and a consultation link", async ({
  page,
}) => {
  await page.goto("/savings-calculator");

  const life = await calculator(page, "Life Insurance Calculator").boundingBox();
  const retirement = await calculator(page, "Retirement Savings Calculator").boundingBox();
  expect(life?.y).toBe(retirement?.y);
  expect(life?.x).toBeLessThan(retirement?.x ?? 0);
  await expect(page.getByText("These tools give estimates only.")).toBeVisible();
  const schedule = page.getByRole("link", { name: "Schedule a Free Consultation" });
  await expect(schedule).toHaveAttribute("target", "_blank");
  await expect(schedule).toHaveAttribute("rel", /noopener/);

  for (const [label, min, max, step, value] of [
    ["Annual Income", 20_000, 5_000_000, 5_000, 75_000],
    ["Total Debt", 0, 1_000_000, 10_000, 50_000],
    ["Current Age", 18, 80, 1, 30],
    ["Retirement Age", 31, 80, 1, 65],
    ["Current Savings", 0, 1_000_000, 5_000, 25_000],
    ["Monthly Contribution", 0, 5_000, 50, 500],
    ["Est. Annual Return", 1, 15, 0.5, 7],
  ] as const) {
    const slider = page.getByRole("slider", { name: label });
    await expect(slider).toHaveAttribute("min", String(min));
    await expect(slider).toHaveAttribute("max", String(max));
    await expect(slider).toHaveAttribute("step", String(step));
    await expect(slider).toHaveValue(String(value));
  }
  await expect(page.getByText("Years to Replace Income: 30")).toBeVisible();
});

test("coverage is computed on button press only, for the defaults, all minima and all maxima", async ({
  page,
}) => {
  await openPage(page, "/savings-calculator");
  const life = calculator(page, "Life Insurance Calculator");
  const press = life.getByRole("button", { name: "Calculate Coverage" });
  await expect(life.getByText("Estimated Coverage Needed")).toHaveCount(0);

  await press.click();
  await expect(life.getByText("Estimated Coverage Needed")).toBeVisible();
  await expect(life.getByText("$2,320,000", { exact: true })).toBeVisible();

  for (const label of ["Annual Income", "Total Debt"]) {
    await life.getByRole("slider", { name: label }).press("End");
  }
  await expect(life.getByText("$2,320,000", { exact: true })).toBeVisible();
  await expect(life.getByText(/out of date/i)).toBeVisible();
  await press.click();
  await expect(life.getByText("$151,020,000", { exact: true })).toBeVisible();
  await expect(life.getByText(/out of date/i)).toHaveCount(0);

  for (const label of ["Annual Income", "Total Debt"]) {
    await life.getByRole("slider", { name: label }).press("Home");
  }
  await press.click();
  await expect(life.getByText("$620,000", { exact: true })).toBeVisible();
});

test("the projection adds each contribution before growth, for the defaults and all maxima", async ({
  page,
}) => {
  await openPage(page, "/savings-calculator");
  const retirement = calculator(page, "Retirement Savings Calculator");
  const press = retirement.getByRole("button", { name: "Project Savings" });
  await expect(retirement.getByText("Estimated Savings at Retirement")).toHaveCount(0);

  await press.click();
  await expect(retirement.getByText("Estimated Savings at Retirement")).toBeVisible();
  await expect(retirement.getByText("$1,193,434", { exact: true })).toBeVisible();

  await retirement.getByRole("slider", { name: "Current Age" }).press("Home");
  for (const label of [
    "Retirement Age",
    "Current Savings",
    "Monthly Contribution",
    "Est. Annual Return",
  ]) {
    await retirement.getByRole("slider", { name: label }).press("End");
  }
  await expect(retirement.getByText("$1,193,434", { exact: true })).toBeVisible();
  await press.click();
  await expect(retirement.getByText("$14,506,676,402", { exact: true })).toBeVisible();
});

test("coverage is broken down into its parts; a projection is a chart, two figures and a table", async ({
  page,
}) => {
  await openPage(page, "/savings-calculator");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();

  const parts = page.getByRole("table", { name: "What the estimated coverage is made of" });
  await expect(parts.getByRole("row")).toHaveText([
    /Income, replaced for 30 years\$2,250,000/,
    /Debts, paid off\$50,000/,
    /fixed amount.*\$20,000/,
  ]);

  const retirement = calculator(page, "Retirement Savings Calculator");
  await retirement.getByRole("button", { name: "Project Savings" }).click();

  await expect(retirement.locator("svg path")).toHaveCount(3);
  await expect(retirement.getByText("$235,000", { exact: true })).toBeVisible();
  await expect(retirement.getByText("$958,434", { exact: true })).toBeVisible();
  await expect(retirement.getByText("It is an estimate and not a promise.")).toBeVisible();
  await retirement.getByText("The figures year by year").click();
  const rows = retirement.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(1 + 36);
  await expect(rows.last()).toHaveText("65$235,000$958,434$1,193,434");
});

test.describe("with a touch screen", () => {
  test.use({ hasTouch: true });

  test("the chart shows one year of the projection by pointer, touch and keyboard", async ({
    page,
  }) => {
    await openPage(page, "/savings-calculator");
    const retirement = calculator(page, "Retirement Savings Calculator");
    await retirement.getByRole("button", { name: "Project Savings" }).click();
    const chart = retirement.getByRole("slider", { name: "Read the chart, year by year" });
    await chart.scrollIntoViewIfNeeded();
    const { width, height } = (await chart.boundingBox()) ?? { width: 0, height: 0 };
    const reading = retirement.getByText(/^At \d+$/);
    await expect(reading).toHaveCount(0);

    await chart.hover({ position: { x: 8, y: height / 2 } });
    await expect(reading).toHaveText("At 30");
    await chart.hover({ position: { x: 8 + ((width - 16) * 10) / 35, y: height / 2 } });
    await expect(reading).toHaveText("At 40");
    await page.mouse.move(0, 0);
    await expect(reading).toHaveCount(0);

    await chart.tap({ position: { x: width / 2, y: height / 2 } });
    await expect(reading).toHaveText(/^At 4[78]$/);

    await chart.press("End");
    await expect(reading).toHaveText("At 65");
    await chart.press("Home");
    await chart.press("ArrowRight");
    await expect(reading).toHaveText("At 31");
    await expect(chart).toHaveAttribute(
      "aria-valuetext",
      "At 31: $33,040, of it $31,000 paid in and $2,040 growth",
    );
    await page.getByRole("button", { name: "Project Savings" }).focus();
    await expect(reading).toHaveCount(0);
  });
});

test("a corrected number shows a notice until the next change", async ({ page }) => {
  await openPage(page, "/savings-calculator");
  const number = page.getByRole("textbox", { name: "Annual Income" });

  await number.fill("9999999");
  await number.blur();
  await expect(page.getByText("Set to $5,000,000, the highest here.")).toBeVisible();
  await number.fill("76000");
  await number.blur();
  await expect(page.getByText("Set to $75,000: this goes in steps of $5,000.")).toBeVisible();
  await page.getByRole("slider", { name: "Annual Income" }).press("ArrowRight");
  await expect(page.getByText(/^Set to/)).toHaveCount(0);
});

test("numbers are accepted as people write them, and text that is not a number changes nothing", async ({
  page,
}) => {
  await openPage(page, "/savings-calculator");
  const slider = page.getByRole("slider", { name: "Annual Income" });
  const number = page.getByRole("textbox", { name: "Annual Income" });
  await expect(number).toHaveValue("75,000");

  for (const [typed, value] of [
    ["$120,000", "120000"],
    ["85 000", "85000"],
    ["95k", "95000"],
  ] as const) {
    await number.fill(typed);
    await number.blur();
    await expect(slider).toHaveValue(value);
    await expect(page.getByText(/^(Set to|Still)/)).toHaveCount(0);
  }
  await number.fill("a lot");
  await number.blur();
  await expect(page.getByText("Still $95,000: that was not a number.")).toBeVisible();
  await expect(slider).toHaveValue("95000");
  await expect(number).toHaveValue("95,000");
});

test("the largest result fits phones and wide screens", async ({ page }) => {
  await openPage(page, "/savings-calculator");
  const retirement = calculator(page, "Retirement Savings Calculator");
  await retirement.getByRole("slider", { name: "Current Age" }).press("Home");
  for (const slider of (await retirement.getByRole("slider").all()).slice(1)) {
    await slider.press("End");
  }
  await retirement.getByRole("button", { name: "Project Savings" }).click();
  const result = retirement.getByText("$14,506,676,402", { exact: true });

  for (const width of [320, 390, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(result).toBeVisible();
    const [lines, overflow] = await result.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { scrollWidth, clientWidth } = document.documentElement;
      return [range.getClientRects().length, scrollWidth - clientWidth];
    });
    expect(lines, `${width} pixels`).toBe(1);
    expect(overflow, `${width} pixels`).toBe(0);
  }
});

test("a slider that returns to its former value makes the result current again", async ({
  page,
}) => {
  await openPage(page, "/savings-calculator");
  const life = calculator(page, "Life Insurance Calculator");
  await life.getByRole("button", { name: "Calculate Coverage" }).click();

  await life.getByRole("slider", { name: "Annual Income" }).press("ArrowRight");
  await expect(life.getByText(/out of date/i)).toBeVisible();
  await life.getByRole("slider", { name: "Annual Income" }).press("ArrowLeft");
  await expect(life.getByText(/out of date/i)).toHaveCount(0);
});

test("the retirement age is at least one year above the current age, also at age 80", async ({
  page,
}) => {
  await openPage(page, "/savings-calculator");
  const current = page.getByRole("slider", { name: "Current Age" });
  const retirement = page.getByRole("slider", { name: "Retirement Age" });

  await page.getByRole("textbox", { name: "Current Age" }).fill("70");
  await page.keyboard.press("Tab");
  await expect(current).toHaveValue("70");
  await expect(retirement).toHaveAttribute("min", "71");
  await expect(retirement).toHaveAttribute("max", "80");
  await expect(retirement).toHaveValue("71");

  await current.press("End");
  await expect(current).toHaveValue("80");
  await expect(retirement).toHaveAttribute("min", "81");
  await expect(retirement).toHaveAttribute("max", "81");
  await expect(retirement).toHaveValue("81");
  await page.getByRole("button", { name: "Project Savings" }).click();
  // 25,000 and twelve months at 7 % with 500 added each month.
  await expect(page.getByText("$33,040", { exact: true })).toBeVisible();

  await current.press("Home");
  await expect(retirement).toHaveAttribute("min", "19");
  await expect(retirement).toHaveAttribute("max", "80");
  await expect(retirement).toHaveValue("80");
});

test("a number can be typed instead of dragged, and is clamped to the slider's range and step", async ({
  page,
}) => {
  await openPage(page, "/savings-calculator");
  const slider = page.getByRole("slider", { name: "Annual Income" });
  const number = page.getByRole("textbox", { name: "Annual Income" });

  await number.fill("123456");
  await expect(slider).toHaveValue("75000");
  await number.blur();
  await expect(slider).toHaveValue("125000");
  await expect(number).toHaveValue("125,000");

  await number.fill("9999999999");
  await number.blur();
  await expect(slider).toHaveValue("5000000");
  await number.fill("1");
  await number.blur();
  await expect(slider).toHaveValue("20000");
  await number.fill("");
  await number.blur();
  await expect(number).toHaveValue("20,000");

  await number.fill("100000");
  await number.press("Enter");
  await expect(page.getByText("$3,070,000", { exact: true })).toBeVisible();
  await expect(page.getByText(/out of date/i)).toHaveCount(0);
});

test("the keyboard moves a slider by its step, and its value is announced in words", async ({
  page,
}) => {
  await openPage(page, "/savings-calculator");

  for (const [label, value, text] of [
    ["Annual Income", "80000", "$80,000"],
    ["Current Age", "31", "31"],
    ["Monthly Contribution", "550", "$550"],
    ["Est. Annual Return", "7.5", "7.5%"],
  ] as const) {
    const slider = page.getByRole("slider", { name: label });
    await slider.press("ArrowRight");
    await expect(slider).toHaveValue(value);
    await expect(slider).toHaveAttribute("aria-valuetext", text);
  }
});

test("slider moves and typed numbers from before hydration keep their value and count", async ({
  page,
}) => {
  const release = await delayScripts(page);
  await page.goto("/savings-calculator");

  const slider = page.getByRole("slider", { name: "Annual Income" });
  await slider.press("End");
  await page.getByRole("textbox", { name: "Total Debt" }).fill("80000");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  release();

  await expect(page.getByText("Estimated Coverage Needed")).toBeVisible();
  await expect(slider).toHaveValue("5000000");
  await expect(page.getByText("$150,100,000", { exact: true })).toBeVisible();
});
