import type { Locator, Page } from "@playwright/test";
import { findingsOf } from "./access/axe.ts";
import { delayScripts, expect, openPage, test } from "./test.ts";

/** Finds a calculator by its title. */
function calculator(page: Page, title: string): Locator {
  return page.locator("section", { has: page.getByRole("heading", { name: title }) });
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error("The element has no box");
  return box;
}

test("sliders and typed numbers give the coverage on button press only, with its parts", async ({
  page,
}) => {
  await openPage(page, "/savings-calculator");
  const life = calculator(page, "Life Insurance Calculator");
  const slider = life.getByRole("slider", { name: "Annual Income" });
  const number = life.getByRole("textbox", { name: "Annual Income" });
  const press = life.getByRole("button", { name: "Calculate Coverage" });
  const result = (text: string) => life.getByText(text, { exact: true });
  const outOfDate = life.getByText(/out of date/i);

  await test.step("the page", async () => {
    const retirement = await boxOf(calculator(page, "Retirement Savings Calculator"));
    const { x, y, height } = await boxOf(life);
    expect(retirement.y).toBe(y);
    expect(retirement.x).toBeGreaterThan(x);
    // Each card ends where its content does.
    expect(retirement.height).toBeGreaterThan(height);
    await expect(page.getByText("These tools give estimates only.")).toBeVisible();
    const schedule = page.getByRole("link", { name: "Schedule a Free Consultation" });
    await expect(schedule).toHaveAttribute("target", "_blank");
    await expect(schedule).toHaveAttribute("rel", /noopener/);
    await expect(life.getByText("Years to Replace Income: 30")).toBeVisible();
    for (const [label, min, max, step, value, text] of [
      ["Annual Income", 20_000, 5_000_000, 5_000, 75_000, "$75,000"],
      ["Total Debt", 0, 1_000_000, 10_000, 50_000, "$50,000"],
      ["Current Age", 18, 80, 1, 30, "30"],
      ["Retirement Age", 31, 80, 1, 65, "65"],
      ["Current Savings", 0, 1_000_000, 5_000, 25_000, "$25,000"],
      ["Monthly Contribution", 0, 5_000, 50, 500, "$500"],
      ["Est. Annual Return", 1, 15, 0.5, 7, "7%"],
    ] as const) {
      const one = page.getByRole("slider", { name: label });
      await expect(one).toHaveAttribute("min", String(min));
      await expect(one).toHaveAttribute("max", String(max));
      await expect(one).toHaveAttribute("step", String(step));
      await expect(one).toHaveValue(String(value));
      await expect(one).toHaveAttribute("aria-valuetext", text);
    }
  });

  await test.step("a result, and a slider that leaves it and returns", async () => {
    await expect(life.getByText("Estimated Coverage Needed")).toHaveCount(0);
    await press.click();
    await expect(life.getByText("Estimated Coverage Needed")).toBeVisible();
    await expect(result("$2,320,000")).toBeVisible();
    const parts = page.getByRole("table", { name: "What the estimated coverage is made of" });
    await expect(parts.getByRole("row")).toHaveText([
      /Income, replaced for 30 years\$2,250,000/,
      /Debts, paid off\$50,000/,
      /fixed amount.*\$20,000/,
    ]);
    await slider.press("ArrowRight");
    await expect(slider).toHaveValue("80000");
    await expect(slider).toHaveAttribute("aria-valuetext", "$80,000");
    await expect(outOfDate).toBeVisible();
    await expect(result("$2,320,000")).toBeVisible();
    await slider.press("ArrowLeft");
    await expect(outOfDate).toHaveCount(0);
  });

  await test.step("the pointer, on a logarithmic track", async () => {
    const { x, y, width, height } = await boxOf(slider);
    const press = (share: number) =>
      page.mouse.click(x + 12 + (width - 24) * share, y + height / 2);
    // The number of a pixel in the middle depends on the width.
    const middle = /^2[34][05]000$/;
    for (const [share, value] of [
      [0, "20000"],
      [0.5, middle],
      [1, "5000000"],
    ] as const) {
      await press(share);
      await expect(slider).toHaveValue(value);
      await expect(slider).toBeFocused();
    }
    await page.mouse.move(x + width - 12, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + 60);
    await page.mouse.up();
    await expect(slider).toHaveValue(middle);
    await page.mouse.move(x, y + height / 2);
    await expect(slider).toHaveValue(middle);
  });

  await test.step("typed numbers", async () => {
    for (const [typed, value, notice] of [
      ["$120,000", "120,000", null],
      ["\u202aUS$130,000/yr\u202c", "130,000", null],
      ["95k", "95,000", null],
      ["a lot", "95,000", "Still $95,000: that was not a number."],
      ["76000", "75,000", "Set to $75,000: this goes in steps of $5,000."],
      ["9999999", "5,000,000", "Set to $5,000,000, the highest here."],
    ] as const) {
      await number.fill(typed);
      await number.blur();
      await expect(number).toHaveValue(value);
      await expect(slider).toHaveValue(value.replaceAll(",", ""));
      if (notice) await expect(page.getByText(notice)).toBeVisible();
      else await expect(page.getByText(/^(Set to|Still)/)).toHaveCount(0);
    }
    await slider.press("ArrowLeft");
    await expect(page.getByText(/^Set to/)).toHaveCount(0);
    await number.fill("100000");
    await number.press("Enter");
    await expect(result("$3,070,000")).toBeVisible();
    await expect(outOfDate).toHaveCount(0);
  });
});

test.describe("with a touch screen", () => {
  test.use({ hasTouch: true });

  test("a projection is a figure, a chart that is read year by year, and a table", async ({
    page,
  }) => {
    await openPage(page, "/savings-calculator");
    const retirement = calculator(page, "Retirement Savings Calculator");
    await expect(retirement.getByText("Estimated Savings at Retirement")).toHaveCount(0);
    await retirement.getByRole("button", { name: "Project Savings" }).click();
    await expect(retirement.getByText("Estimated Savings at Retirement")).toBeVisible();
    for (const figure of ["$1,193,434", "$235,000", "$958,434"]) {
      await expect(retirement.getByText(figure, { exact: true })).toBeVisible();
    }
    await expect(retirement.getByText("It is an estimate and not a promise.")).toBeVisible();
    await expect(retirement.locator("svg path")).toHaveCount(3);

    // A tap takes its place on the drawn track, not on the browser's own scale.
    const savings = retirement.getByRole("slider", { name: "Current Savings" });
    await savings.scrollIntoViewIfNeeded();
    const track = await boxOf(savings);
    await savings.tap({ position: { x: track.width / 2, y: track.height / 2 } });
    await expect(savings).toHaveValue("90000");
    await retirement.getByRole("textbox", { name: "Current Savings" }).fill("25000");
    await retirement.getByRole("button", { name: "Project Savings" }).click();

    const chart = retirement.getByRole("slider", { name: "Read the chart, year by year" });
    await chart.scrollIntoViewIfNeeded();
    const { width, height } = (await chart.boundingBox()) ?? { width: 0, height: 0 };
    const reading = retirement.getByText(/^At \d+$/);
    await expect(reading).toHaveCount(0);
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

    await retirement.getByText("The figures year by year").click();
    const rows = retirement.getByRole("table").getByRole("row");
    await expect(rows).toHaveCount(1 + 36);
    await expect(rows.last()).toHaveText("65$235,000$958,434$1,193,434");

    await page.getByRole("button", { name: "Calculate Coverage" }).click();
    await page.getByRole("slider", { name: "Annual Income" }).press("ArrowRight");
    await page.getByRole("slider", { name: "Current Age" }).press("ArrowRight");
    await expect(page.getByText("Out of date")).toHaveCount(2);
    expect(await findingsOf(page)).toEqual([]);
  });
});

test("the retirement age follows the current age, also at 80, and the largest result fits any width", {
  tag: "@long",
}, async ({ page }) => {
  await openPage(page, "/savings-calculator");
  const retirement = calculator(page, "Retirement Savings Calculator");
  const current = page.getByRole("slider", { name: "Current Age" });
  const target = page.getByRole("slider", { name: "Retirement Age" });
  const expectRange = async (min: number, max: number, value: number) => {
    await expect(target).toHaveAttribute("min", String(min));
    await expect(target).toHaveAttribute("max", String(max));
    await expect(target).toHaveValue(String(value));
  };
  await page.getByRole("textbox", { name: "Current Age" }).fill("70");
  await page.keyboard.press("Tab");
  await expectRange(71, 80, 71);
  await current.press("End");
  await expectRange(81, 81, 81);
  await current.press("Home");
  await expectRange(19, 80, 80);

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
    expect([lines, overflow], `${width} pixels`).toEqual([1, 0]);
  }
});

test("slider moves and typed numbers from before hydration keep their value and count", {
  tag: "@long",
}, async ({ page }) => {
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
