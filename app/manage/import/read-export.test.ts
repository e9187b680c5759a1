// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksToText } from "../content/marked-blocks.ts";
import { prepareHtml } from "./post-html.ts";
import { readExport } from "./read-export.ts";

const folder = join(import.meta.dirname, "../../../tests/fixtures/exports");

async function readFile(name: string) {
  return readBytes(readFileSync(join(folder, name)));
}

async function readBytes(file: Uint8Array) {
  const found = readExport(file);
  if (!found) return null;
  const posts = await Promise.all(found.items.map((item) => found.read(item)));
  return {
    ...{ others: found.others, missing: found.missing, host: found.host },
    posts: posts.map(({ post: { content, ...post }, ...rest }) => ({
      ...post,
      ...rest,
      text: blocksToText(content),
    })),
  };
}

const encode = (text: string) => new TextEncoder().encode(text);
const rssOf = (items: string) =>
  encode(`<rss version="2.0"><channel><link>https://a.example</link>${items}</channel></rss>`);

/** A post of WordPress. */
const wpItem = (html: string, more = "") =>
  `<item><title>T</title><wp:post_id>7</wp:post_id><wp:status>publish</wp:status>
   <wp:post_type>post</wp:post_type><wp:post_date_gmt>2020-03-02 10:00:00</wp:post_date_gmt>${more}<content:encoded><![CDATA[${html}]]></content:encoded></item>`;
const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
const attachment = (id: number, address: string, more = "") =>
  `<item><wp:post_type>attachment</wp:post_type><wp:post_id>${id}</wp:post_id>
   <wp:attachment_url>${address}</wp:attachment_url>${more}</item>`;

async function readItems(...items: string[]) {
  return (await readBytes(rssOf(items.join(""))))?.posts ?? [];
}

/** The only post of these items. */
async function readItem(...items: string[]) {
  const [post] = await readItems(...items);
  if (!post) throw new Error("No post");
  return post;
}

test("an export of WordPress keeps text, title, date, category and address, and names its images", async () => {
  const { posts, others } = (await readFile("wordpress.xml")) ?? {};
  expect(others).toBe("1 × deleted post, 1 × attachment");
  expect(posts).toMatchObject([
    {
      title: "Term & whole life: which fits?",
      category: "Life & Insurance",
      slug: "term-or-whole-life",
      former_path: "/2023/05/term-or-whole-life",
      published_date: "2023-05-10T14:00:00.000Z",
      author: "June Hartwell",
      problem: null,
      notes: ["Tags, not imported: families."],
      featured: {
        address: "https://www.hartwell.example/wp-content/uploads/2023/05/family.jpg",
        alt: "",
      },
      images: [
        {
          address: "https://www.hartwell.example/wp-content/uploads/2023/05/oak.jpg?w=1024&h=683",
          alt: "An oak",
        },
      ],
      text: [
        "Most families ask **one question** first, and [so can you](https://www.hartwell.example/contact/).",
        "## What differs",
        "- Term ends.\n- Whole life does not.",
        "[An oak](https://www.hartwell.example/wp-content/uploads/2023/05/oak.jpg?w=1024&h=683)",
        "Behind our office",
        "> Buy time first.",
      ].join("\n\n"),
    },
    {
      title: "Notes for next week",
      slug: "",
      former_path: null,
      published_date: null,
      images: [{ address: "https://cdn.example/desk.jpg", alt: "" }],
      notes: ["It was not public: draft."],
      text: [
        "[Image](https://cdn.example/desk.jpg) My desk",
        "First paragraph\nwith a second line.",
        "**Second** paragraph.",
        "- One",
      ].join("\n\n"),
    },
    { title: "About us", is_page: true, category: "", slug: "about", former_path: "/about" },
  ]);
});

test("an export of Squarespace with its damaged ampersands is read", async () => {
  const { posts, others } = (await readFile("squarespace.xml")) ?? {};
  expect(others).toBe("1 × attachment");
  expect(posts).toMatchObject([
    {
      title: "Wills & Trusts & More—Basics",
      category: "Estate planning",
      slug: "wills",
      former_path: "/blog/2022/6/7/wills.html",
      published_date: "2022-06-07T03:00:44.000Z",
      notes: expect.arrayContaining([
        "Tags, not imported: Wills.",
        "An image is no longer a link to https://other.example.",
        "Embedded page on another site, now a link: https://www.youtube.com/embed/abc",
      ]),
      featured: {
        address: "https://images.squarespace-cdn.com/content/cover.jpg?ixlib=rb&fit=crop",
        alt: "",
      },
      images: [{ address: "https://images.squarespace-cdn.com/content/lake.jpg", alt: "lake.jpg" }],
    },
    { title: "Services", is_page: true },
  ]);
  expect(posts?.[0]?.text).toContain("A will says *who*.");
  expect(posts?.[0]?.text).toContain("lake.jpg](");
  expect(posts?.[0]?.text).toContain("| Will | $400 |\n| Trust | $1,900 |");
  expect(posts?.[0]?.text).toContain("[A talk about wills](https://www.youtube.com/embed/abc)");
});

test("an RSS file keeps what it has, in its own encoding", async () => {
  const { posts } = (await readFile("feed.rss")) ?? {};
  expect(posts).toMatchObject([
    {
      title: "Café talk",
      category: "Retirement",
      slug: "",
      former_path: "/?p=12",
      published_date: "2020-01-03T13:30:00.000Z",
      text: "The whole text.",
    },
    { title: "", category: "", slug: "", former_path: null, published_date: null },
  ]);
  expect(posts?.[1]?.text).toBe("No title, no link, no date & no id.");
});

test("an Atom file keeps its XHTML, and the address of its page", async () => {
  expect((await readFile("feed.atom"))?.posts).toMatchObject([
    {
      title: "Saving & spending",
      category: "Money",
      slug: "saving",
      former_path: "/notes/saving",
      published_date: "2024-02-03T10:00:00.000Z",
      text: "Save **first**.\nThen spend.",
    },
    { title: "Only a summary", published_date: "2024-03-01T00:00:00.000Z", text: "Short." },
  ]);
});

test("tables of WordPress and of feeds stay tables, and say what of them changed", async () => {
  const rows =
    "<tr><td>Age</td><td><strong>Price</strong></td></tr><tr><td>30</td><td>$25</td></tr>";
  const block = `<!-- wp:table --><figure class="wp-block-table is-style-stripes"><table class="has-fixed-layout"><thead><tr><th>Plan</th><th>Price</th></tr></thead><tbody><tr><td><a href="https://a.example/term">Term</a></td><td>$25<br>a month</td></tr></tbody></table><figcaption class="wp-element-caption">Rates of 2024</figcaption></figure><!-- /wp:table -->`;
  const { text } = await readItem(wpItem(block));
  expect(text).toBe(
    "| Plan | Price |\n| --- | --- |\n| [Term](https://a.example/term) | $25<br>a month |\n\nRates of 2024",
  );
  const classic = `What it costs:\n\n<table border="1" width="100%">\n<tbody>\n${rows.replaceAll("</tr>", "</tr>\n")}</tbody>\n</table>\n\nAsk <em>early</em>.`;
  expect((await readItem(wpItem(classic))).text).toBe(
    "What it costs:\n\n| Age | **Price** |\n| 30 | $25 |\n\nAsk *early*.",
  );
  const image = `<img src="https://a.example/oak.jpg" alt="An oak">`;
  const entry = (html: string, type: string) =>
    `<entry><id>a</id><title>T</title><published>2024-02-03T10:00:00Z</published><content type="${type}">${html}</content></entry>`;
  const merged = `<table><tr><th colspan="2">Plan</th></tr><tr><td rowspan="2">Term</td><td>$25</td></tr><tr><td>${image}</td></tr></table>`;
  const escaped = merged.replaceAll("<", "&lt;");
  const xhtml = `<div xmlns="http://www.w3.org/1999/xhtml"><table>${rows}</table></div>`;
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom">${entry(escaped, "html")}${entry(xhtml, "xhtml").replace("<id>a", "<id>b")}</feed>`;
  const posts = (await readBytes(encode(feed)))?.posts ?? [];
  expect(posts.map((post) => post.text)).toEqual([
    "**Plan**\n\n| Term | $25 |\n|  | [An oak](https://a.example/oak.jpg) |",
    "| Age | **Price** |\n| 30 | $25 |",
  ]);
  expect(posts[0]?.images).toEqual([{ address: "https://a.example/oak.jpg", alt: "An oak" }]);
  expect(posts[0]?.notes).toEqual([
    "1 merged cell of a table was split. Its text is in its first part.",
  ]);
});

test("a post has the same id in every export, and another one than other posts", async () => {
  const idsIn = async (name: string) => (await readFile(name))?.posts.map(({ id }) => id) ?? [];
  expect(await idsIn("feed.rss")).toEqual(await idsIn("feed.rss"));
  const names = ["wordpress.xml", "squarespace.xml", "feed.rss", "feed.atom", "blogger.xml"];
  const ids = (await Promise.all(names.map(idsIn))).flat();
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
});

test.each([
  ["nothing", ""],
  ["a text", "Dear Ada"],
  ["a page", "<!doctype html><html><body><p>Sign in</p></body></html>"],
  ["another XML", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
])("%s is no export", async (_, text) => {
  expect(await readBytes(new TextEncoder().encode(text))).toBeNull();
});

test("what the bytes say decides about the encoding, not what the file declares", async () => {
  const xml = (encoding: string, text = "Café “a”") =>
    `<?xml version="1.0" encoding="${encoding}"?><rss><channel><item><title>${text}</title></item></channel></rss>`;
  const files: [Uint8Array, string][] = [
    [Buffer.from(`\ufeff${xml("utf-16")}`, "utf16le"), "Café “a”"],
    [Buffer.from(xml("utf-16"), "utf16le"), "Café “a”"],
    [Buffer.from(xml("utf-16", "Grün")), "Grün"],
    [Buffer.from(xml("iso-8859-1")), "Café “a”"],
    [Buffer.from(xml("us-ascii")), "Café “a”"],
    [Buffer.from(xml("klingon")), "Café “a”"],
    [Buffer.from(`\ufeff${xml("windows-1252")}`), "Café “a”"],
    [Buffer.from(xml("utf-8", "Café"), "latin1"), "Café"],
    [Buffer.from(xml("iso-8859-2", "Ł").replace("Ł", "\xa3"), "latin1"), "Ł"],
    [Buffer.from(xml("shift_jis", "*").replace("*", "\x93\xfa\x96\x7b"), "latin1"), "日本"],
    [Buffer.from(xml("iso-2022-jp", "\x1b$BF|K\\\x1b(B"), "latin1"), "日本"],
    // A text in UTF-8 with a quotation from an old file.
    [
      Buffer.concat([
        Buffer.from(xml("utf-8", "né “*").split("*")[0] ?? ""),
        Buffer.from("\x93 x\x94", "latin1"),
        Buffer.from(xml("utf-8", "*").split("*")[1] ?? ""),
      ]),
      "né ““ x”",
    ],
  ];
  for (const [file, title] of files) expect((await readBytes(file))?.posts[0]?.title).toBe(title);
});

test("entities that a file declares are not expanded", async () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]>
    <rss><channel><item><title>&b;</title></item></channel></rss>`;
  expect((await readBytes(encode(bomb)))?.posts).toMatchObject([
    { title: expect.not.stringContaining("aaa") },
  ]);
});

test.each([
  ["an unknown entity", "<title>A&nbsp;B &euro;5 &unknown; C</title>", "A B €5 &unknown; C"],
  [
    "character references that no character has",
    "<title>A&#11;B&#xD800;C&#1114112;&#0;</title>",
    /^AB\ufffdC/,
  ],
  ["ampersands", "<title>A & B &C; R&D</title>", "A & B &C; R&D"],
  ["control characters", "<title>A\u0001\u000bB</title>", "AB"],
  [
    "an undeclared prefix",
    "<georss:point>1 2</georss:point><title>A</title><media:title>B</media:title>",
    "A",
  ],
  ["elements in a title", "<title>A <b>B</b></title>", "A B"],
  ["an unclosed element", "<title>A</title><description><p>x<br></description>", "A"],
  [
    "an attribute without quotes",
    "<enclosure url=https://a.example/a.jpg type=image/jpeg /><title>A</title>",
    "A",
  ],
])("%s in a file is no obstacle", async (_, item, title) => {
  const posts = await readItems(`<item>${item}</item>`, "<item><title>Next</title></item>");
  expect(posts.map((post) => post.title)).toEqual([
    typeof title === "string" ? title : expect.stringMatching(title),
    "Next",
  ]);
});

test("warnings before the document and scripts after it are skipped", async () => {
  const rss = new TextDecoder().decode(rssOf("<item><title>A</title></item>"));
  const before =
    "\n<br />\n<b>Warning</b>:  Cannot modify header (x & y < z) in <b>/a.php</b> on line <b>3</b><br />\n";
  const after = "<!-- cached --><script>if (a<b && c>d) { x('<item>'); }</script>";
  const file = `${before}<?xml version="1.0"?>${rss}${after}`;
  expect(await readBytes(encode(file))).toMatchObject({ posts: [{ title: "A" }], missing: "" });
});

test("a file that ends too early has its whole posts, and says which one is not whole", async () => {
  const whole = new TextDecoder().decode(
    rssOf(
      "<item><title>A</title></item><item><title>B</title><description>One two three</description></item>",
    ),
  );
  for (const [end, title] of [
    ["two", "B"],
    ["</item><item><title>B", "B"],
  ] as const) {
    const cut = whole.slice(0, whole.indexOf(end) + end.length);
    const found = await readBytes(encode(cut));
    expect(found?.posts).toMatchObject([{ title: "A" }]);
    expect(found?.missing).toContain(`The file ends too early, in “${title}”`);
  }
  const between = whole.slice(0, whole.lastIndexOf("<item>"));
  expect((await readBytes(encode(between)))?.missing).toContain("The file ends too early.");
});

test("Atom with a prefix and RDF are read", async () => {
  const atom = `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:link href="https://a.example/"/>
    <a:entry><a:title type="text">1 &lt; 2</a:title><a:link href="/one"/><a:id>x</a:id>
    <a:content type="xhtml"><x:div xmlns:x="http://www.w3.org/1999/xhtml"><x:p>Hi <x:b>you</x:b><x:br/>there</x:p></x:div></a:content></a:entry></a:feed>`;
  expect((await readBytes(encode(atom)))?.posts).toMatchObject([
    { title: "1 < 2", former_path: "/one", text: "Hi **you**\nthere" },
  ]);
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:c="http://purl.org/rss/1.0/modules/content/">
    <channel rdf:about="https://a.example/"><title>Notes</title><link>https://a.example/</link><items><rdf:Seq><rdf:li rdf:resource="https://a.example/two"/></rdf:Seq></items></channel>
    <item rdf:about="https://a.example/two"><title>Two</title><link>https://a.example/two</link><description>Short …</description>
    <c:encoded><![CDATA[<p>Long.</p>]]></c:encoded><d:date>2019-02-03T04:05:06Z</d:date><d:subject>Taxes</d:subject><d:creator>Ada Lake</d:creator></item></rdf:RDF>`;
  expect((await readBytes(encode(rdf)))?.posts).toMatchObject([
    {
      ...{ title: "Two", text: "Long.", category: "Taxes", author: "Ada Lake" },
      ...{ former_path: "/two", published_date: "2019-02-03T04:05:06.000Z", notes: [] },
    },
  ]);
});

test("comments, templates and settings of Blogger are no posts, and drafts stay drafts", async () => {
  const { posts, others } = (await readFile("blogger.xml")) ?? {};
  expect(others).toBe("1 × template, 1 × settings, 1 × comment");
  expect(posts).toMatchObject([
    {
      ...{ title: "What is a beneficiary?", is_page: false, category: "Basics" },
      ...{ former_path: "/2014/02/what-is-beneficiary.html", slug: "what-is-beneficiary" },
      published_date: "2014-02-03T18:00:00.000Z",
      featured: { address: "https://1.bp.blogspot.com/-x/AAA/s1600/form.jpg" },
      images: [{ address: "https://1.bp.blogspot.com/-x/AAA/s1600/form.jpg" }],
      notes: ["Further categories, not imported: Forms."],
    },
    {
      title: "Half a thought",
      former_path: null,
      published_date: null,
      notes: ["It was not public: draft."],
    },
    { title: "About", is_page: true, former_path: "/p/about.html" },
  ]);
});

test("the newer export of Blogger is read", async () => {
  const entry = (type: string, status: string, title: string) =>
    `<entry><id>tag:blogger.com,1999:blog-1.${type}-${title}</id><blogger:type>${type}</blogger:type><blogger:status>${status}</blogger:status>
     <title>${title}</title><content type="html">&lt;p&gt;Hi&lt;/p&gt;</content><published>2021-01-02T03:04:05Z</published>
     <blogger:filename>/2021/01/${title}.html</blogger:filename><blogger:trashed/></entry>`;
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:blogger="http://schemas.google.com/blogger/2018"><title>B</title>
    ${entry("POST", "LIVE", "a")}${entry("POST", "DRAFT", "b")}${entry("COMMENT", "LIVE", "c")}${entry("PAGE", "LIVE", "d")}${entry("POST", "SOFT_TRASHED", "e")}</feed>`;
  const found = await readBytes(encode(feed));
  expect(found?.others).toBe("1 × comment, 1 × deleted post");
  expect(found?.posts).toMatchObject([
    { title: "a", former_path: "/2021/01/a.html", text: "Hi" },
    { title: "b", former_path: null, notes: ["It was not public: draft."] },
    { title: "d", is_page: true },
  ]);
});

test.each(["draft", "private", "pending", "future", "inherit"])(
  "a post that was %s says so and keeps no date",
  async (status) => {
    const item = wpItem("Hi").replace("publish", status);
    expect(await readItem(item)).toMatchObject({
      ...{ former_path: null, published_date: null, notes: [`It was not public: ${status}.`] },
    });
  },
);

test("a classic post keeps its paragraphs and lines, also beside HTML", async () => {
  const html =
    "First\nline two\n\n<p>Its own.</p>\n\nSecond <em>with\n\nemphasis</em> here\n<blockquote>Quoted\n\nTwice</blockquote>\nThird\r\n\r\nFourth <!--more-->\n<ul>\n<li>One</li>\n</ul>\n<pre>a\n\nb</pre>\nLast";
  const { text } = await readItem(wpItem(html));
  expect(text.split("\n\n")).toEqual(
    expect.arrayContaining(["First\nline two", "Its own.", "Third", "Fourth", "- One", "Last"]),
  );
  expect(text.replace(/\s+/g, " ")).toContain("Second");
  expect(text).toMatch(/emphasis\*? here/);
});

test("HTML of other programs has no line breaks of its own", async () => {
  const { text } = await readItem(
    "<item><title>T</title><description>&lt;div&gt;One\ntwo\n\nthree&lt;/div&gt;</description></item>",
  );
  expect(text).toBe("One two three");
});

test("prose about styles is not changed", async () => {
  const prose = 'Write style="bold" or <code>&lt;p style="x"&gt;</code>: my style=plain.';
  const { html } = prepareHtml(`<p title="a style=b" style="color:red">${prose}</p>`, {
    hasPlainLines: true,
  });
  expect(html).toBe(`<p title="a style=b" data-style="color:red">${prose}</p>`);
});

test.each([
  [
    "a gallery",
    '[gallery columns="2" ids="1,2"]',
    ["https://a.example/1.jpg", "https://a.example/2.png"],
    "",
  ],
  ["a gallery of all images of the post", "[gallery]", ["https://a.example/1.jpg"], ""],
  [
    "an old caption",
    '[caption caption="My desk"]<img src="/d.jpg">[/caption]',
    ["https://a.example/d.jpg"],
    "My desk",
  ],
  [
    "a button",
    '[button url="https://b.example/x" color="red"]Call us[/button]',
    [],
    "[Call us](https://b.example/x)",
  ],
  [
    "a button of a page builder",
    '[vc_btn title="Call us" link="url:https%3A%2F%2Fb.example%2Fx|title:Go||"]',
    [],
    "[Call us](https://b.example/x)",
  ],
  [
    "a video",
    '[video width="640" mp4="https://a.example/v.mp4"][/video]',
    [],
    "[video](https://a.example/v.mp4)",
  ],
  ["a sound", '[audio src="https://a.example/s.mp3"]', [], "[audio](https://a.example/s.mp3)"],
  [
    "a video by its address",
    "[youtube https://youtu.be/abc]",
    [],
    "[youtube](https://youtu.be/abc)",
  ],
  ["a sound of the post", "[audio]", [], "[audio](https://a.example/3.mp3)"],
  [
    "an embedded address",
    "[embed width=400]https://youtu.be/abc[/embed]",
    [],
    "https://youtu.be/abc",
  ],
  [
    "a frame of a page builder",
    '[et_pb_row a="b"][et_pb_text]Words[/et_pb_text][/et_pb_row]',
    [],
    "Words",
  ],
  [
    "the order of frames without line breaks",
    '[fusion_title]Head[/fusion_title][fusion_separator style="x" /][fusion_text]Words[/fusion_text][fusion_button link="https://b.example"]Call[/fusion_button]',
    [],
    "Head\n\nWords\n\n[Call](https://b.example)",
  ],
  [
    "a word that is explained in a sentence",
    'The [tooltip text="paid at death"]benefit[/tooltip] is yours.',
    [],
    "The benefit (paid at death) is yours.",
  ],
  [
    "a button with typographic quotation marks",
    "[vc_btn title=&#8221;Call us&#8221; link=&#8221;url:https%3A%2F%2Fb.example||&#8221;]",
    [],
    "[Call us](https://b.example)",
  ],
  ["a heading of a page builder", '[vc_custom_heading text="Our plan"]', [], "Our plan"],
  [
    "a button of Divi, whose words are an attribute",
    '[et_pb_button button_url="https://b.example/x" button_text="Call us"][/et_pb_button]',
    [],
    "[Call us](https://b.example/x)",
  ],
  [
    "a call to action of Divi",
    '[et_pb_cta title="Get a quote" button_url="https://b.example/y" button_text="Start"]<p>Now.</p>[/et_pb_cta]',
    [],
    "Get a quote\n\nNow.\n\n[Start](https://b.example/y)",
  ],
  [
    "an image of Divi, with its alternative text alone",
    '[et_pb_image src="https://a.example/i.jpg" alt="An oak" _builder_version="4.0"][/et_pb_image]',
    ["https://a.example/i.jpg"],
    "[An oak](",
  ],
  [
    "an image with words of Divi",
    '[et_pb_blurb title="Our service" image="https://a.example/s.jpg"]<p>Words.</p>[/et_pb_blurb]',
    ["https://a.example/s.jpg"],
    "Our service\n\nWords.",
  ],
  [
    "images that page builders name by number",
    '[vc_single_image image="1" img_size="full"][et_pb_gallery gallery_ids="2"][/et_pb_gallery][vc_empty_space height="32px"]',
    ["https://a.example/1.jpg", "https://a.example/2.png"],
    "",
  ],
  [
    "an image of Avada, whose content is its address",
    '[fusion_imageframe image_id="1|full"]https://a.example/1.jpg[/fusion_imageframe]',
    ["https://a.example/1.jpg"],
    "[Image](",
  ],
  [
    "a button of Enfold",
    "[av_button label='Call us' link='manually,https://b.example/x']",
    [],
    "[Call us](https://b.example/x)",
  ],
  [
    "brackets",
    "He said [sic] and [1] and [[gallery]].",
    [],
    "He said [sic] and [1] and [gallery].",
  ],
])("%s of WordPress is kept", async (_, html, images, text) => {
  const parent = "<wp:post_parent>7</wp:post_parent>";
  const found = await readItem(
    wpItem(html),
    attachment(1, "https://a.example/1.jpg", parent),
    attachment(2, "https://a.example/2.png"),
    attachment(3, "https://a.example/3.mp3", parent),
  );
  expect(found.images.map(({ address }) => address)).toEqual(images);
  expect(found.text).toContain(text);
  expect(found.notes.filter((note) => note.startsWith("WordPress"))).toEqual([]);
});

test.each([
  ['<p>A</p>[contact-form-7 id="5f" title="Contact form 1"]', "contact-form-7"],
  ['<p>A</p>[gravityform id="1" title="false" description="false"]', "gravityform"],
  [
    '<p>A</p>[contact-form][contact-field label="Name" type="name"/][/contact-form]',
    "contact-form, contact-field",
  ],
  ['<p>A</p>[metaslider id="12" title="Home"]', "metaslider"],
  ["[toc]\n\nA", "toc"],
  ['[gallery ids="88,89"] A', "gallery"],
  [
    '<!-- wp:paragraph --><p>A</p><!-- /wp:paragraph --><!-- wp:latest-posts {"postsToShow":3} /-->',
    "latest-posts",
  ],
  ['<!-- wp:block {"ref":99} /--><p>A</p>', "reusable block"],
])("what is not in the file is named: %s", async (html, name) => {
  const { notes, text } = await readItem(wpItem(html));
  expect(notes).toContain(`WordPress shows more here than the file has: ${name}.`);
  expect(text).toBe("A");
});

test("blocks of WordPress keep media, reusable blocks and footnotes", async () => {
  const html = `<!-- wp:video {"id":1} --><figure class="wp-block-video"><video controls src="https://a.example/v.mp4"></video><figcaption>Our talk</figcaption></figure><!-- /wp:video -->
    <!-- wp:audio --><figure><audio controls src="/s.mp3"></audio></figure><!-- /wp:audio -->
    <!-- wp:block {"ref":50} /-->
    <!-- wp:videopress/video {"guid":"x","src":"https://videos.example/v"} /-->
    <!-- wp:paragraph --><p>Known<sup data-fn="a1" class="fn"><a href="#a1" id="a1-link">1</a></sup>.</p><!-- /wp:paragraph -->
    <!-- wp:footnotes /-->`;
  const pattern = `<item><wp:post_type>wp_block</wp:post_type><wp:post_id>50</wp:post_id><content:encoded><![CDATA[<!-- wp:paragraph --><p>Shared.</p><!-- /wp:paragraph -->]]></content:encoded></item>`;
  const { text } = await readItem(
    wpItem(html, meta("footnotes", '[{"content":"See <em>IRC</em> 7702.","id":"a1"}]')),
    pattern,
  );
  for (const part of [
    ...[
      "[Video](https://a.example/v.mp4)",
      "Our talk",
      "[Audio](https://a.example/s.mp3)",
      "Shared.",
    ],
    ...[
      "[videopress/video](https://videos.example/v)",
      "Known[1].",
      "## Footnotes",
      "See *IRC* 7702.",
    ],
  ])
    expect(text).toContain(part);
});

test("footnotes of plugins become text", async () => {
  const { text } = await readItem(
    wpItem("One[footnote]First note.[/footnote] and two[ref]Second.[/ref]."),
  );
  expect(text).toContain("One[1] and two[2].");
  expect(text).toContain("1. First note.\n2. Second.");
});

test.each([
  [
    '<object data="https://a.example/f.swf"><embed src="https://a.example/f.swf"></object>',
    "https://a.example/f.swf",
  ],
  [
    '<object><param name="movie" value="https://www.youtube.com/v/abc"></object>',
    "https://www.youtube.com/v/abc",
  ],
  [
    '<video><source src="/a.webm"><source src="/a.mp4">Your browser is old.</video>',
    "https://a.example/a.webm",
  ],
  ['<iframe data-src="//player.example/1"></iframe>', "https://player.example/1"],
  ['<embed src="https://a.example/e.mp3">', "https://a.example/e.mp3"],
])("embedded media become a link: %s", async (html, address) => {
  const { text, notes } = await readItem(wpItem(`<p>A</p>${html}`));
  expect(text).toContain(`](${address})`);
  expect(text).not.toContain("Your browser");
  expect(notes).toEqual([expect.stringContaining(address)]);
});

test.each([
  ['<img src="data:image/gif;base64,R0" data-src="/real.jpg">', "/real.jpg"],
  ['<img src="/blank.gif" data-lazy-src="/real.jpg">', "/real.jpg"],
  ['<img src="/small.jpg" data-orig-file="https://a.example/large.jpg?x=1">', "/large.jpg?x=1"],
  ['<img srcset="/s.jpg 300w, /l.jpg 1024w, /m.jpg 600w">', "/l.jpg"],
  ['<picture><source data-srcset="/w.webp 1x"><img src="data:,"></picture>', "/w.webp"],
  ['<img src="data:image/gif;base64,R0"><noscript><img src="/real.jpg"></noscript>', "/real.jpg"],
  ["<div style=\"background-image:url('/back.jpg')\"><p>Over it</p></div>", "/back.jpg"],
  ['<a href="/a-full.jpg"><img src="/a-full-300x200.jpg"></a>', "/a-full.jpg"],
  [
    '<a href="https://a.example/img/a/AVv=s1600"><img src="https://a.example/img/a/AVv=s320"></a>',
    "/img/a/AVv=s1600",
  ],
])("the image that a page shows late is found: %s", async (html, path) => {
  const { images, notes } = await readItem(wpItem(html));
  expect(images.map(({ address }) => address)).toEqual([`https://a.example${path}`]);
  expect(notes).toEqual([]);
});

test("emoji stay text, and images that count visits are left out", async () => {
  const html =
    '<p>Hi <img class="emoji" alt="🙂" src="https://s.w.org/x.svg"><img src="https://t.example/p" width="1" height="1"></p>';
  expect(await readItem(wpItem(html))).toMatchObject({ text: "Hi 🙂", images: [] });
});

test.each([
  ['<enclosure url="https://a.example/e.jpg" length="1" type="image/jpeg"/>', "e.jpg"],
  [
    '<enclosure url="https://a.example/e.mp3" type="audio/mpeg"/><media:thumbnail url="https://a.example/t.jpg"/>',
    "t.jpg",
  ],
  [
    '<media:group><media:content url="https://a.example/m.jpg" medium="image"/></media:group>',
    "m.jpg",
  ],
  [
    '<media:content url="https://0.gravatar.com/avatar/x?s=96" medium="image"/><media:content url="https://a.example/w.jpg" medium="image"/>',
    "w.jpg",
  ],
  [
    '<media:content url="https://a.example/v.mp4" medium="video"><media:thumbnail url="https://a.example/v.jpg"/></media:content>',
    "v.jpg",
  ],
])("the image of a feed becomes the featured image: %s", async (item, name) => {
  const { featured } = await readItem(`<item><title>T</title>${item}</item>`);
  expect(featured).toEqual({ address: `https://a.example/${name}`, alt: "" });
});

test("HTML that is escaped twice is read, and a file without its channel", async () => {
  const item =
    "<item><description>&amp;lt;p&amp;gt;One &amp;amp; two&amp;lt;/p&amp;gt;</description></item>";
  expect((await readBytes(encode(`<rss>${item}</rss>`)))?.posts).toMatchObject([
    { text: "One & two" },
  ]);
});

test("a file of sound stays as a link", async () => {
  const { text, featured } = await readItem(
    '<item><title>T</title><description>A</description><enclosure url="https://a.example/e.mp3?x=1&amp;y" type="audio/mpeg"/></item>',
  );
  expect(text).toBe("A\n\n[e.mp3](https://a.example/e.mp3?x=1&y)");
  expect(featured).toBeNull();
});

test("a featured image has its alternative text, and a missing one is named", async () => {
  const alt = meta("_wp_attachment_image_alt", "An oak");
  expect(
    await readItem(
      wpItem("A", meta("_thumbnail_id", "9")),
      attachment(9, "https://a.example/9.jpg", alt),
    ),
  ).toMatchObject({ featured: { address: "https://a.example/9.jpg", alt: "An oak" } });
  expect((await readItem(wpItem("A", meta("_thumbnail_id", "9")))).notes).toEqual([
    "Its featured image is not in the file: export all content, not only posts.",
  ]);
});

test("the category is one of the domain 'category', and all others are named", async () => {
  const categories = [
    ["post_tag", "term"],
    ["language", "English"],
    ["category", "Uncategorized"],
    ["post_format", "Video"],
    ["category", "Life &amp; health"],
    ["category", "Taxes"],
    ["post_tag", "trusts"],
    ["series", "Basics"],
  ].map(
    ([domain, name]) => `<category domain="${domain}" nicename="x"><![CDATA[${name}]]></category>`,
  );
  expect(await readItem(wpItem("A", categories.join("")))).toMatchObject({
    category: "Life & health",
    notes: [
      "Further categories, not imported: Taxes.",
      "Tags, not imported: term, trusts.",
      "Other groups, not imported: English, Basics.",
    ],
  });
});

test("comments, summaries and missing texts are named", async () => {
  const comment = (approved: string, type = "") =>
    `<wp:comment><wp:comment_approved>${approved}</wp:comment_approved><wp:comment_type>${type}</wp:comment_type></wp:comment>`;
  const more = `<excerpt:encoded><![CDATA[In short.]]></excerpt:encoded>${comment("1")}${comment("1", "comment")}${comment("spam")}${comment("1", "pingback")}`;
  expect((await readItem(wpItem("", more))).notes).toEqual([
    "Its summary, not imported: In short.",
    "Its text is not in the file.",
    "Not imported: 2 comments.",
  ]);
  for (const description of [
    "A few words [&amp;#8230;]",
    "A few words [...]",
    "&lt;p&gt;A few&amp;hellip;&lt;/p&gt;",
  ]) {
    const { notes } = await readItem(
      `<item><title>T</title><pubDate>2 Mar 2020 10:00 GMT</pubDate><description>${description}</description></item>`,
    );
    expect(notes).toEqual(["The file has only a summary of the text."]);
  }
});

test("a date that WordPress knows in local time alone is kept, and a lost one is named", async () => {
  const zero = "<wp:post_date_gmt>0000-00-00 00:00:00</wp:post_date_gmt>";
  const local = "<wp:post_date>2009-05-01 10:00:00</wp:post_date>";
  const never = "<pubDate>Mon, 30 Nov -0001 00:00:00 +0000</pubDate>";
  const posts = await readItems(
    ...[zero + local + never, "<pubDate>5 Mar 1999 10:00 GMT</pubDate>", ""].map(
      (date) => `<item><title>T</title>${date}<description>A</description></item>`,
    ),
  );
  expect(posts.map(({ published_date, notes }) => [published_date, ...notes])).toEqual([
    ["2009-05-01T10:00:00.000Z"],
    [null, "Its date, not imported: 5 Mar 1999 10:00 GMT."],
    [null, "Its date is not in the file."],
  ]);
});

test("a slug is made neither of the file that shows all posts, nor of a number, and a title is not repeated", async () => {
  const posts = await readItems(
    ...["/index.php?option=com_content&amp;id=5:first", "/node/5", "/own?utm_source=rss"].map(
      (path) =>
        `<item><title>Why</title><link>https://a.example${path}</link><description>&lt;h3&gt;Why&lt;/h3&gt;&lt;p&gt;A&lt;/p&gt;</description></item>`,
    ),
  );
  expect(posts).toMatchObject([
    ...[{ slug: "", text: "A" }, { slug: "", former_path: "/node/5" }, { slug: "own" }],
  ]);
});

test("the author of RSS is the name behind the address", async () => {
  const item = "<item><title>T</title><author>ada@a.example (Ada Lake)</author></item>";
  expect((await readItem(item)).author).toBe("Ada Lake");
});

test.each([
  ['<p>A</p><img src="/1.jpg" style="display:none">', "1 hidden image or video was"],
  [
    '<!-- wp:group {"metadata":{"blockVisibility":false}} --><div><!-- wp:paragraph --><p>Never</p><!-- /wp:paragraph --></div><!-- /wp:group --><!-- wp:paragraph --><p>A</p><!-- /wp:paragraph -->',
    "1 hidden passage was",
  ],
  [
    '[vc_row disable_element="yes"][vc_column]Never<img src="/1.jpg">[/vc_column][/vc_row][vc_row][vc_column]A[/vc_column][/vc_row]',
    "1 hidden passage and 1 hidden image or video were",
  ],
  ["A\n\n[private]Only for members[/private]", "1 hidden passage was"],
])("what its author hid is left out, and said: %s", async (html, what) => {
  expect(await readItem(wpItem(html))).toMatchObject({
    ...{ text: "A", images: [], notes: [`${what} left out.`] },
  });
});

test.each([
  [
    "one guid for all",
    (n: number) => `<guid>https://a.example</guid><link>https://a.example/${n}</link>`,
  ],
  [
    "one guid and one address for all",
    (n: number) => `<guid>x</guid><link>https://a.example/</link><title>${n}</title>`,
  ],
  [
    "one guid and one title for all",
    (n: number) => `<guid>x</guid><title>T</title><description>${n}</description>`,
  ],
  [
    "one address for all",
    (n: number) =>
      `<link>https://a.example/blog</link><title>T</title><pubDate>0${n + 1} May 2020 10:00 GMT</pubDate>`,
  ],
  [
    "one address but for the query",
    (n: number) => `<link>https://a.example/post.php?id=${n}</link>`,
  ],
  [
    "one guid and one number for all",
    (n: number) => `<guid>x</guid><wp:post_id>1</wp:post_id><link>https://a.example/${n}</link>`,
  ],
  ["nothing but a text", (n: number) => `<description>${n}</description>`],
])("posts with %s have different ids, in every export the same", async (_, fields) => {
  const itemOf = (n: number) => `<item>${fields(n)}</item>`;
  const idsOf = async (...items: string[]) => (await readItems(...items)).map(({ id }) => id);
  const ids = await idsOf(itemOf(1), itemOf(2), itemOf(3));
  expect(new Set(ids).size).toBe(3);
  expect(await idsOf(itemOf(3), itemOf(2), itemOf(1), "<item><title>New</title></item>")).toEqual([
    ...ids.toReversed(),
    expect.any(String),
  ]);
});

test("a post of WordPress keeps its id when its title, text or address changes", async () => {
  const item = (title: string, link: string) =>
    `<item><title>${title}</title><guid>https://a.example/?p=7</guid><wp:post_id>7</wp:post_id><link>${link}</link></item>`;
  const [before, after] = [
    await readItem(item("A", "https://a.example/?p=7")),
    await readItem(item("B", "https://a.example/b")),
  ];
  expect(after.id).toBe(before.id);
});

test("posts of different files with one guid are different", async () => {
  const item = (n: number) => `<item><guid>x</guid><link>https://a.example/${n}</link></item>`;
  expect((await readItem(item(1))).id).not.toBe((await readItem(item(2))).id);
});

test("a former address that several posts had leads to none, and the note says so", async () => {
  const item = (link: string, status = "publish") =>
    `<item><title>${link}</title><link>https://a.example${link}</link><wp:status>${status}</wp:status></item>`;
  const posts = await readItems(
    ...["/Diary", "/diary/", "/a.aspx?id=1", "/a.aspx?id=2&utm_source=x", "/own"].map((link) =>
      item(link),
    ),
    ...[item("/own", "draft"), item("/")],
  );
  expect(posts.map(({ former_path }) => former_path)).toEqual([
    ...[null, null, "/a.aspx?id=1", "/a.aspx?id=2", "/own", null, null],
  ]);
  const notes = posts.map((post) => post.notes.filter((note) => note.includes("address")));
  expect(notes[0]).toEqual([
    "Other posts had the same address, which leads to none of them: https://a.example/Diary",
  ]);
  expect(notes[4]).toEqual([]);
  expect(notes[6]).toEqual(["Its former address will not lead to it: https://a.example/"]);
});

test("a former address that is one of a page here is said to lead there", async () => {
  const posts = await readItems(
    ...["/contact/", "/services/wills", "/blog/category/a", "/blog/2020/own", "/contact-us"].map(
      (path) => `<item><title>T</title><link>https://a.example${path}</link></item>`,
    ),
  );
  expect(posts.map(({ former_path }) => former_path)).toEqual([
    ...[null, null, null, "/blog/2020/own", "/contact-us"],
  ]);
  expect(posts[0]?.notes).toContain(
    "Its former address will not lead to it: https://a.example/contact/",
  );
});

test("a script is named, because it may have shown something", async () => {
  const html =
    '<p>A</p><script src="https://form.example/x.js"></script><script>draw()</script><script type="application/ld+json">{}</script>';
  expect(await readItem(wpItem(html))).toMatchObject({
    text: "A",
    notes: ["Script, left out: https://form.example/x.js", "Script, left out."],
  });
});

test("a text that is too long is a problem of its post alone, and no script address survives", async () => {
  const file = rssOf(
    `<item><title>Long</title><description>${"word ".repeat(500_000)}</description></item>
     <item><title>${"t".repeat(600)}</title><link>javascript:alert(1)</link>
       <description>&lt;a href="javascript:alert(1)"&gt;x&lt;/a&gt;&lt;img src="data:image/png;base64,AA"&gt;</description></item>`,
  );
  expect((await readBytes(file))?.posts).toMatchObject([
    { title: "Long", problem: "The text is too long." },
    { title: "t".repeat(500), former_path: null, text: "x", images: [], problem: null },
  ]);
});
