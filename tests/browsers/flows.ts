// The main flows of the site, defined once for every browser.
import { z } from "zod";
import { owner } from "../prepared-data-dir.ts";
import { byText, field, type Tab } from "./tab.ts";

export interface Flow {
  title: string;
  run(tab: Tab, id: string): Promise<void>;
  /** Problems that the flow causes on purpose, which are ignored. */
  expected?: RegExp;
}

const publicPages = [
  "/",
  "/services",
  "/services/life-insurance",
  "/blog",
  "/blog/a-policy-loan-step-by-step",
  "/testimonials",
  "/savings-calculator",
  "/contact",
  "/login",
  "/no-such-page",
];
const phone = 390;
const desktop = 1280;

export const flows: Flow[] = [
  ...publicPages.map(
    (path): Flow => ({
      title: `${path} fits a phone and a desktop and prints no error`,
      expected: /^404 \/no-such-page$/,
      async run(tab) {
        for (const width of [phone, desktop]) {
          await tab.resize(width);
          await tab.open(path);
          await tab.expectNoSidewaysScrolling();
          await tab.waitForHydration();
          await tab.expectNoSidewaysScrolling();
        }
      },
    }),
  ),
  {
    title: "the menu of a phone opens, leads to a page and closes",
    async run(tab) {
      await tab.resize(phone);
      await tab.open("/");
      await tab.waitForHydration();
      const link = `//header//a${byText("Blog")}`;
      await tab.expectHidden(link);
      await tab.click("//header//summary");
      await tab.click(link);
      await tab.arrived("/blog");
      await tab.expectHidden(link);
      await tab.resize(desktop);
    },
  },
  {
    title: "the calculators show the coverage and the savings of their defaults",
    async run(tab) {
      await tab.open("/savings-calculator");
      await tab.waitForHydration();
      await tab.click(`//button${byText("Calculate Coverage")}`);
      await tab.see("Estimated Coverage Needed");
      await tab.see("$2,320,000");
      await tab.click(`//button${byText("Project Savings")}`);
      await tab.see("Estimated Savings at Retirement");
      await tab.see("$1,193,434");
    },
  },
  {
    title: "a contact message is sent and the form is empty again",
    async run(tab) {
      await tab.open("/contact");
      await tab.waitForHydration();
      await tab.type(field("Full Name"), "Ada Lovelace");
      await tab.type(field("Email Address"), "ada@example.com");
      await tab.type(field("Your Message"), "Could we talk next week?");
      await tab.click(`//button${byText("Send Message")}`);
      await tab.see("Message Sent!");
      await tab.see("Thanks for reaching out. I'll be in touch shortly.");
      await tab.until("the form is empty", 'document.querySelector("[name=message]").value === ""');
    },
  },
  {
    title: "a review is written and appears in the list",
    async run(tab, id) {
      await tab.open("/testimonials");
      await tab.waitForHydration();
      await tab.click(`//button${byText("Leave a Review")}`);
      await tab.type(field("Your Name"), `Grace ${id}`);
      await tab.type(field("Your Review"), "Clear and kind.");
      await tab.click(`//button${byText("Submit Review")}`);
      await tab.see("Thank you! Your review is now live.");
      await tab.expectVisible(`//main//figure[contains(., "Grace ${id}")]`);
    },
  },
  {
    title: "the owner signs in",
    async run(tab) {
      await tab.open("/login");
      await tab.waitForHydration();
      await tab.type(field("Email"), owner.email);
      await tab.type(field("Password"), owner.password);
      await tab.click(`//button${byText("Log In")}`);
      await tab.see("Login Successful!");
      await tab.arrived("/blog");
      await tab.see("Start the setup");
    },
  },
  {
    title: "a post with an image is published and appears in the list",
    // The slug check requests a single row and gets 406 when the slug is free.
    expected: /^406 \/rest\/v1\/posts\?select=slug/,
    async run(tab, id) {
      await tab.open("/blog/new");
      await tab.waitForHydration();
      await tab.type(field("Title"), `Post ${id}`);
      await tab.type(field("Category"), "Testing");
      await tab.type(field("Content"), "The first paragraph.");
      await tab.upload('//input[@type="file"]', "docs/design/home-390.webp");
      await tab.see("Image Uploaded");
      await tab.click(`//button${byText("Publish Post")}`);
      await tab.see("Your new blog post has been published.");
      await tab.arrived("/blog");
      const card = `//article[contains(., "Post ${id}")]`;
      await tab.expectVisible(card);
      const image = z.string().parse(await tab.property(`${card}//img`, "currentSrc"));
      await tab.until(
        `the image ${image} is shown`,
        `[...document.images].some((image) => image.currentSrc === ${JSON.stringify(image)} && image.naturalWidth > 1)`,
      );
    },
  },
  {
    title: "a post is deleted and disappears from the list",
    async run(tab, id) {
      await tab.open("/blog");
      await tab.click(`//button${byText(`Delete Post ${id}`)}`);
      await tab.see("Are you absolutely sure?");
      await tab.click(`//dialog[@open]//button${byText("Continue")}`);
      await tab.see("The blog post has been successfully removed.");
      await tab.expectHidden(`//article[contains(., "Post ${id}")]`);
    },
  },
];
