import { slugify } from "../../../app/posts/slugify.ts";
import { publishSettings } from "../../other-firm.ts";
import { findingsOf } from "../access/axe.ts";
import { openPage, toast } from "../test.ts";
import { expect, fillPost, logIn, test, uniqueTitle, uploadImage } from "./owner.ts";

const title = uniqueTitle("Approved words");
const person = { email: "ed@example.com", name: "Ed Editor", role: "editor" };

// The setting changes every editor, the person every list of people, and the post the home page.
test.afterEach(async ({ owner }) => {
  await owner.from("posts").delete().eq("slug", slugify(title)).throwOnError();
  await publishSettings(owner, { blog: { needApproval: false } });
  const { data } = await owner.rpc("list_people").throwOnError();
  const id = data.find(({ email }) => email === person.email)?.id ?? "";
  await owner.rpc("remove_person", { id }).throwOnError();
});

test("an editor submits, an owner returns with a comment, a reviewer approves by a link, and the editor publishes", {
  tag: "@long",
}, async ({ page, browser, baseURL, owner }) => {
  await publishSettings(owner, { blog: { needApproval: true } });
  const invited = await owner.functions.invoke("invite-person", { body: person });
  const ownerContext = await browser.newContext({ baseURL });
  await ownerContext.addInitScript(() => {
    window.addEventListener("hydrated", () => Object.assign(window, { isHydrated: true }));
  });
  const ownerPage = await ownerContext.newPage();
  const reviewerContext = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const reviewer = await reviewerContext.newPage();
  const approval = page.getByRole("region", { name: "Approval" });
  const submit = page.getByRole("button", { name: "Ask for approval" });
  const publish = page.getByRole("button", { name: "Publish Post" });

  await test.step("the editor submits in place of publishing", async () => {
    await page.goto(invited.data.link);
    await page.getByLabel("New password").fill("a-password-of-ed");
    await page.getByRole("button", { name: "Accept invitation" }).click();
    await expect(page).toHaveURL("/blog");
    await openPage(page, "/blog/new");
    await fillPost(page, title);
    await uploadImage(page);
    await expect(approval).toContainText("This post needs approval.");
    await submit.click();
    await expect(toast(page, "Submitted")).toBeVisible();
    await expect(approval).toContainText("It waits for approval.");
    await expect(submit).toBeDisabled();
    await expect(publish).toHaveCount(0);
  });

  await test.step("the owner finds it, returns it and lets a reviewer approve", async () => {
    await logIn(ownerPage, "/manage");
    await ownerPage
      .getByRole("listitem")
      .filter({ hasText: "A post waits for your approval" })
      .getByRole("link")
      .click();
    await ownerPage.getByRole("link", { name: title, exact: true }).click();
    const comment = ownerPage.getByLabel("Comment (needed to return the post)");
    const returns = ownerPage.getByRole("button", { name: "Return with comment" });
    await expect(returns).toBeDisabled();
    expect(await findingsOf(ownerPage)).toEqual([]);
    await comment.fill("Name the state.");
    await returns.click();
    await expect(toast(ownerPage, "Returned")).toBeVisible();
    await expect(ownerPage.getByRole("region", { name: "Approval" })).toContainText(
      "Returned by owner@example.com",
    );
    await ownerPage.getByRole("button", { name: "Create preview link" }).click();
    await ownerPage.getByLabel("This reviewer may approve").click();
    await expect(ownerPage.getByText("and may approve it")).toBeVisible();
  });

  await test.step("the editor's open page shows the comment; the post is changed and submitted again", async () => {
    await expect(approval).toContainText("Name the state.");
    await page.getByLabel("Content").fill("In Oregon.");
    await submit.click();
    await expect(approval).toContainText("It waits for approval.");
  });

  await test.step("the reviewer approves without an account and without scripts", async () => {
    const url = await ownerPage.getByLabel("Link", { exact: true }).inputValue();
    await openPage(ownerPage, new URL(url).pathname);
    expect(await findingsOf(ownerPage)).toEqual([]);
    await reviewer.goto(url);
    const elsewhere = reviewer.getByRole("region", { name: "Also public with this post" });
    await expect(elsewhere.getByRole("article")).toContainText(`${title}In Oregon.`);
    await expect(elsewhere.getByRole("link")).toHaveCount(0);
    const found = elsewhere.getByRole("figure", { name: "The post in search results" });
    await expect(found).toContainText(`${title} | BlogIn Oregon.`);
    await expect(elsewhere.getByText(`/blog/${slugify(title)}`)).toBeVisible();
    // The generated tagline is shown nowhere.
    await expect(elsewhere.getByText("Tagline")).toHaveCount(0);
    await expect(elsewhere.getByText(`Blog post image for ${title}`)).toBeVisible();
    const [name, email] = [
      reviewer.getByLabel("Your name"),
      reviewer.getByLabel("Your email address"),
    ];
    await name.fill("Ed Editor");
    await email.fill("rita@compliance.example");
    await reviewer.getByRole("button", { name: "Approve" }).click();
    await expect(reviewer.getByRole("alert")).toContainText("the name or address of an account");
    await name.fill("Rita Reviewer");
    await reviewer.getByRole("button", { name: "Return with comment" }).click();
    await expect(reviewer.getByRole("alert")).toHaveText(
      "Write in the comment what should change.",
    );
    await reviewer.getByRole("button", { name: "Approve" }).click();
    await expect(
      reviewer.getByText(
        "Rita Reviewer (typed at the link of the owner) approved this version. Thank you.",
      ),
    ).toBeVisible();
  });

  await test.step("the editor's open page shows the approval, and publishes", async () => {
    await expect(approval).toContainText("Approved by Rita Reviewer");
    await publish.click();
    await expect(toast(page, "Success! 🚀")).toContainText(
      "Your new blog post has been published.",
    );
    await expect(page.getByRole("article").filter({ hasText: title })).toBeVisible();
  });
  await ownerContext.close();
  await reviewerContext.close();
});
