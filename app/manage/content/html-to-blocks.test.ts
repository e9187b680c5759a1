// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withoutStyles } from "../foreign-html/parse-html.ts";
import { htmlToBlocks } from "./html-to-blocks.ts";
import { blocksToText } from "./marked-blocks.ts";

const textOf = (html: string) => blocksToText(htmlToBlocks(html).blocks);
const word = readFileSync(
  join(import.meta.dirname, "../../../tests/fixtures/word-clipboard.html.txt"),
  "utf8",
);

test("a document of Word keeps its title, headings, lists, quotes and formats", () => {
  const { title, blocks, notes } = htmlToBlocks(word);
  expect(title).toBe("How Much Life Insurance Does a Young Family Need?");
  expect(blocks.map(({ type }) => type).join(" ")).toBe(
    "paragraph paragraph heading paragraph numbered-list paragraph quote heading paragraph table paragraph heading paragraph list paragraph heading paragraph paragraph heading paragraph",
  );
  const text = blocksToText(blocks);
  expect(text).toContain("in the first five minutes: **how much is enough?** There is");
  expect(text).toContain("mistakes that I see *again and again*. If");
  expect(text).toContain("always [write to me](https://www.example.com/contact), and");
  expect(text).toContain("\n2. **What do you owe?** The mortgage");
  expect(text).toContain("> Insurance is not about the day something happens.");
  expect(text).toContain("| What | Amount |\n| --- | --- |\n| Income for ten years | $650,000 |\n");
  expect(text).toContain("\n| **Needed** | **$900,000** |\n");
  expect(text).toContain(
    "- The policy still names a former partner as the *beneficiary*.\n- The term",
  );
  expect(text).toContain("families, ***term insurance*** covers");
  expect(notes).toEqual([
    "An image could not be taken: save it as a file, then add it with the button Image.",
  ]);
});

test("a document of Google Docs keeps its title and formats", () => {
  const html = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38;"><span style="font-size:26pt;font-weight:400;">The title</span></p><p dir="ltr"><span style="font-weight:400;">Plain and </span><span style="font-weight:700;">bold</span><span style="font-style:italic;">, italic</span></p><ul><li dir="ltr" style="list-style-type:disc;"><p dir="ltr" role="presentation"><span>One</span></p></li><ul><li><p>Two</p></li></ul></ul><ol><li><p>First</p></li></ol></b>`;
  expect(htmlToBlocks(html).title).toBe("The title");
  expect(textOf(html)).toBe("Plain and **bold***, italic*\n\n- One\n  – Two\n\n1. First");
});

test("a page keeps its structure and none of its styles and scripts", () => {
  const html = `<style>p { color: red }</style><h1>A guide</h1><h2 style="color:red">Ask</h2>
    <p class="MsoNormal"><span style="font-weight:700">Bold</span> and <i>italic</i>,
    <a href="https://a.example">a link</a>, <a href="/contact">a page</a>, <a href="javascript:alert(1)">no link</a>.</p>
    <ul><li><p>One</p></li><li>Two<ul><li>Inner</li></ul></li></ul>
    <p class="MsoListParagraph">1.&nbsp;&nbsp; First</p><p class="MsoListParagraph">2.&nbsp; Second</p>
    <p class="MsoListParagraph">Indented</p><p class="MsoIntenseQuote">Quoted</p>
    <blockquote><p>One</p><p>Two</p></blockquote><script>alert(1)</script>`;
  expect(htmlToBlocks(html).title).toBe("A guide");
  expect(textOf(html)).toBe(
    [
      "## Ask",
      "**Bold** and *italic*, [a link](https://a.example), [a page](/contact), no link.",
      "- One\n- Two\n  – Inner",
      "1. First\n2. Second",
      "Indented",
      "> Quoted",
      "> One\n> Two",
    ].join("\n\n"),
  );
});

test("an image with a web address becomes a link, and only a first heading is the title", () => {
  const html = `<p>Before</p><h1>Later</h1><p><img src="https://a.example/b.jpg" alt="An oak"></p>`;
  expect(htmlToBlocks(html)).toMatchObject({ notes: [] });
  expect(htmlToBlocks(html).title).toBeUndefined();
  expect(textOf(html)).toBe("Before\n\n## Later\n\n[An oak](https://a.example/b.jpg)");
});

test.each([
  ["", ""],
  ["   ", ""],
  ["<p></p>", ""],
  ["<script>x</script><template>y</template><noscript>z</noscript>", ""],
  ["<img src='file:///a.png'>", "An image could not be taken"],
  ["<video src='blob:https://a.example/1'>Old</video>", "A video or sound could not be taken"],
  ["<canvas>Your browser is old</canvas>", "An image could not be taken"],
  ["<img src='https://a.example/seen.gif' width=1 height=1>", ""],
  ["<p hidden>Only this</p>", "1 hidden passage was left out."],
])("%j has no blocks", (html, note) => {
  const { blocks, notes } = htmlToBlocks(html);
  expect(blocks).toEqual([]);
  expect(notes.join()).toContain(note);
});

/** Each: what it is, its HTML, the text that remains, the sentence about the rest without 'left out'. */
const leftOut: [what: string, html: string, text: string, note: string][] = [
  [
    "a tracked deletion of Word",
    `<p class=MsoNormal>We charge <del cite="mailto:Ada" datetime="2026-01-02T10:00"><span lang=EN-US>a fee</span></del><ins cite="mailto:Ada">nothing</ins>. <span class=msoDel>Not</span> Now</p>`,
    "We charge nothing. Now",
    "2 struck passages were",
  ],
  [
    "struck text of web pages, Google Docs and Excel",
    `<style>.xl65 {text-decoration:underline line-through;}</style><p><s>$99</s> now <strike>$79</strike> <span style="text-decoration:line-through">$69</span><span style="text-decoration:line-through"><b>!</b></span> $49</p><div class=xl65>Old</div><p><s style="text-decoration:none">Icon</s></p>`,
    "now $49\n\nIcon",
    "4 struck passages were",
  ],
  [
    "what a style sheet of Apple Pages strikes",
    `<style type="text/css">p.p1 {font: 12.0px 'Helvetica Neue'} span.s1 {text-decoration: line-through}</style><p class="p1">The <span class="s1">old</span> <b>new</b> rate</p>`,
    "The **new** rate",
    "1 struck passage was",
  ],
  [
    "a comment of Word, but not the words that it is about",
    `<p class=MsoNormal>Rates of <a style='mso-comment-reference:A_1;mso-comment-date:20260101T1000'>4%</a><span class=MsoCommentReference><span style='font-size:8.0pt'><![if !supportAnnotations]><a class=msocomanchor id="_anchor_1" onmouseover="msoCommentShow('_anchor_1')" href="#_msocom_1">[A1]</a><![endif]><span style='mso-special-character:comment'>&nbsp;</span></span></span>.</p><div style='mso-element:comment-list'><hr class=msocomoff><div style='mso-element:comment'><div id="_com_1" class=msocomtxt><p class=MsoCommentText><a href="#_msoanchor_1" class=msocomoff>[A1]</a>Never say this.</p></div></div></div>`,
    "Rates of 4%.",
    "1 comment was",
  ],
  [
    "a comment of Google Docs",
    `<p>Rates<sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup>.</p><div style="border:1px solid black"><p><a href="#cmnt_ref1" id="cmnt1">[a]</a><span>Remove this?</span></p></div>`,
    "Rates.",
    "1 comment was",
  ],
  [
    "hidden text of Word",
    `<style><!-- span.Inner {mso-style-name:Inner; display:none; mso-hide:all;} --></style><p>Seen <span style='display:none;mso-hide:all'>note</span>and <span class=Inner>x</span> kept <span style='mso-hide:all'>y</span></p>`,
    "Seen and kept",
    "3 hidden passages were",
  ],
  [
    "text that its style hides, unless what is in it undoes that",
    `<p style="visibility:hidden">A <b style="visibility:visible">B</b></p><p style="opacity:0.0">C</p><p style="opacity:0.5">D</p><div style="font-size:0">E<span style="font-size:12pt">F</span></div><p style="max-height:0;overflow:hidden">G</p><p style="text-indent:-9999px">H</p><p style="position:absolute; left:-9999em">I</p><p style="transform:scale(0)">J</p><p style="color:transparent">N</p><p style="position:absolute;left:-100%">O</p><p style="transform:translateX(-9999px)">P</p><p style="display:none !important; display:block">K</p><p hidden>L</p><dialog>M</dialog>`,
    "**B**\n\nD\n\nF",
    "13 hidden passages were",
  ],
  [
    "what a style sheet hides on this screen, the more specific rule last",
    `<style>@media print { p { display: none } } @media screen { .a, .b { display: none } } p.b.c { display: block } #x { display: none !important } #x.d { display: block } @font-face { font-family: x; display: none }</style><p class="a">A</p><p class="b c">B</p><p id="x" class="d">C</p>`,
    "B",
    "2 hidden passages were",
  ],
  [
    "the hidden preview of a mail and what fills it",
    `<div style="display:none;font-size:1px;line-height:1px;max-height:0;overflow:hidden;mso-hide:all">Act now &zwnj;&nbsp;&zwnj;</div><span style="font-size:1px;color:#fff">&#847; Or else</span><div>&#847;&zwnj;&nbsp;&#8203;</div><p>Dear Ada</p><a href="https://a.example" style="display:inline-block;mso-hide:all">Reply</a>`,
    "Dear Ada\n\n[Reply](https://a.example)",
    "2 hidden passages were",
  ],
  [
    "what only screen readers get; what only they do not get stays",
    `<p><span aria-hidden="true">$5</span><span class="sr-only">five dollars</span> <a href="https://a.example">more<span class="screen-reader-text"> about it</span></a><span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">x</span></p>`,
    "$5 [more](https://a.example)",
    "3 hidden passages were",
  ],
  [
    "controls with their labels and options, but no heading that unfolds a text",
    `<form><label for=a>Age</label><input id=a value=3><input type=hidden><select><option>Choose</option></select><textarea>typed</textarea><fieldset><legend>Pick</legend><label><input type=radio> Yes</label></fieldset><button>Send</button><p>Real</p><h3><button>Why?</button></h3><a role=button href="/contact">Ask</a></form>`,
    "Real\n\n## Why?\n\n[Ask](/contact)",
    "5 form controls were",
  ],
  [
    "hidden rows of a spreadsheet",
    `<table><tr><td>Plan</td><td>Price</td></tr><tr height=0 style='display:none'><td>Cost</td><td>$1</td></tr><tr style="visibility:collapse"><td>Gain</td><td>$2</td></tr><tr><td>Term</td><td>$3</td></tr><tr height=0 style='display:none'><td width=64></td><td width=64></td></tr></table>`,
    "| Plan | Price |\n| Term | $3 |",
    "2 hidden rows were",
  ],
  [
    "hidden columns of a spreadsheet, also below a cell over several",
    `<table><colgroup><col><col width=0 style='display:none;mso-width-source:userset'><col></colgroup><tr><td>Plan</td><td>Cost</td><td>Price</td></tr><tr><td>Term</td><td>$1</td><td>$3</td></tr><tr><td>Sum</td><td colspan=2>$4</td></tr></table>`,
    "| Plan | Price |\n| Term | $3 |\n| Sum | $4 |",
    "1 hidden column was",
  ],
  [
    "links of headings, which have none",
    `<a href="https://a.example"><h2>Card</h2><p>Its text</p></a>`,
    "## Card\n\n[Its text](https://a.example)",
    "1 link of a heading was",
  ],
  [
    "hidden images, but no images that count readers",
    `<p>A</p><p style="display:none"><img src="https://a.example/1.jpg" alt="Never"></p><img hidden src="https://a.example/2.jpg"><img style="display:none" width="1" height="1" src="https://a.example/3.gif">`,
    "A",
    "2 hidden images or videos were",
  ],
  [
    "addresses that a post cannot have, but not the words, nor places in the document",
    `<p><a href="file:///C:/plan.docx">Plan</a>, <a href="sms:+15035550142">write</a>, <a href="#_Toc1">see below</a></p>`,
    "Plan, write, see below",
    "2 links without a web address were",
  ],
  [
    "several kinds, in one sentence",
    `<p><s>a</s> b <s>c</s></p><p><del>d</del></p><p hidden>e</p><a class=msocomanchor>[1]</a><a class=msocomanchor>[2]</a>`,
    "b",
    "3 struck passages, 1 hidden passage and 2 comments were",
  ],
];

test.each(leftOut)("%s: left out and counted", (_what, html, text, note) => {
  const { blocks, notes } = htmlToBlocks(html);
  expect(blocksToText(blocks)).toBe(text);
  expect(notes[0]).toBe(`${note} left out.`);
});

test.each([
  [
    "bold and italic text of Word",
    `<p><b style='mso-bidi-font-weight:normal'>A</b> <i style='mso-bidi-font-style:normal'>b</i> <span style='mso-bidi-font-weight:bold'>c</span> <b><span style='font-weight:normal'>d</span></b> <b><span style='font:7.0pt "Times New Roman"'>e</span></b></p>`,
    "**A** *b* c d e",
  ],
  [
    "formats around blocks, and those of style sheets",
    `<style>.lead { font: italic bold 12px/1.5 Georgia }</style><b><p>One</p></b><div style="font-weight:bold"><div>Two</div></div><p class="lead">Three</p><a href="https://a.example"><div>Four</div><ul><li>Five</li></ul></a>`,
    "**One**\n\n**Two**\n\n***Three***\n\n[Four](https://a.example)\n\n- [Five](https://a.example)",
  ],
  [
    "levels of lists, in order",
    `<ul><li>One<ul><li>a</li><li>b<ul><li>deep</li></ul></li></ul>after</li><li>Two<ol start=3><li>x</li><li>y</li></ol></li><ul><li>direct</li></ul><li style="list-style:none"><ul><li>wrapped</li></ul></li></ul>`,
    "- One\n  – a\n  – b\n  –– deep\n  after\n- Two\n  3. x\n  4. y\n  – direct\n  – wrapped",
  ],
  [
    "levels of lists of Word",
    `<style>p.MsoListBullet{mso-list:l0 level1 lfo1}</style><p class=MsoListBullet><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span>One</p><p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o</span>Inner <b>bold</b></p><p class=MsoListParagraph style='mso-list:l0 level2 lfo2'><span style='mso-list:Ignore'>a.</span>Sign</p><p class=MsoListBullet><span style='mso-list:Ignore'>·</span>Two</p><h2 style='mso-list:l1 level1 lfo3'><span style='mso-list:Ignore'>1.</span>Scope</h2>`,
    "- One\n  – Inner **bold**\n  a. Sign\n- Two\n\n## 1. Scope",
  ],
  [
    "raised and lowered text",
    `<p>10<sup>2</sup> H<sub>2</sub>O 10<span style="font-size:0.6em;vertical-align:super">-3</span> x<sup>n+1</sup> A<sub>max</sub> Acme<sup>TM</sup> 1<sup>st</sup> fee<sup>*</sup> wiki<sup>[2]</sup> note<sup><a href="https://a.example">1</a></sup></p>`,
    "10² H₂O 10⁻³ x^(n+1) A_(max) Acme™ 1st fee* wiki[2] note[¹](https://a.example)",
  ],
  [
    "line breaks",
    `<pre>Roses are red,\n  Violets are blue\n\nSugar</pre><p style="white-space:pre-line">a\nb</p><p>c<br>d<br><br>e<br></p><p>f\ng</p><div style="white-space:pre"><div>h</div><div>i</div></div><span style="display:block">j</span><span style="display:block">k</span>`,
    "Roses are red,\nViolets are blue\n\nSugar\n\na\nb\n\nc\nd\n\ne\n\nf g\n\nh\ni\n\nj\n\nk",
  ],
  [
    "lines of mails and notes, which blank ones separate",
    `<div>Dear Ada,</div><div><br></div><div>One road</div><div>Two ways</div><div><br></div><ul><li>x</li></ul>`,
    "Dear Ada,\n\nOne road\nTwo ways\n\n- x",
  ],
  [
    "quotes with what is in them",
    `<blockquote><i>All of it</i></blockquote><blockquote><p>One</p><ul><li>x</li></ul></blockquote><p><q>Said</q></p>`,
    "> All of it\n\n> One\n\n- x\n\n“Said”",
  ],
  [
    "prose about styles",
    `<p title='a > b style="x"' style='color:red'>Set style=bold or <code>&lt;p style="color:red"&gt;</code></p>`,
    'Set style=bold or <p style="color:red">',
  ],
  [
    "lists that start again, and words with soft hyphens",
    `<ol><li>One</li><li>Two</li></ol><ol type=a><li>in&shy;sur&shy;ance</li></ol>`,
    "1. One\n2. Two\n\n\n1. insurance",
  ],
  [
    "exponents and indices in several runs",
    `<p>10<sup><span>-</span><span>2</span></sup> 2<sup>n<i>m</i></sup> CO<sub><b>2</b></sub></p>`,
    "10⁻² 2^(n*m)* CO**₂**",
  ],
  [
    "levels of lists of Word for the web, which are lists of their own",
    `<div class="ListContainerWrapper SCXW1"><ul role="list"><li data-aria-level="1" role="listitem"><p class="Paragraph"><span class="TextRun">One</span></p></li></ul></div><div class="ListContainerWrapper SCXW1"><ul role="list"><li data-aria-level="2"><p>Inner</p></li></ul></div><div class="ListContainerWrapper SCXW1"><ul role="list"><li data-aria-level="1"><p>Two</p></li></ul></div>`,
    "- One\n  – Inner\n- Two",
  ],
  [
    "links as browsers read them, without the redirects of Outlook and Google",
    `<p><a href="tel:+1 503 555 0142">A</a> <a href="www.a.example">B</a> <a href="//a.example/c d">C</a> <a href="https://nam12.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fd&amp;data=05%7Cada%40a.example">D</a> <a href="https://www.google.com/url?q=https://a.example/e&amp;sa=D">E</a></p>`,
    "[A](tel:+15035550142) [B](https://www.a.example) [C](https://a.example/c%20d) [D](https://a.example/d) [E](https://a.example/e)",
  ],
  [
    "emoji that are images, and videos",
    `<p>Hi <img alt="😀" src="https://e.example/1.png"><img alt="👍🏽" src="https://e.example/2.png"><img alt="🇺🇸" src="https://e.example/3.png"><img alt="1️⃣" src="https://e.example/4.png"></p><div style="height:0;padding-bottom:56%;overflow:hidden"><video src="https://v.example/1" title="A talk"></video></div>`,
    "Hi 😀👍🏽🇺🇸1️⃣\n\n[A talk](https://v.example/1)",
  ],
])("%s stay", (_what, html, text) => {
  const { blocks, notes } = htmlToBlocks(html);
  expect(blocksToText(blocks)).toBe(text);
  expect(notes).toEqual([]);
});

test("a list that does not start at 1 says so", () => {
  const { blocks, notes } = htmlToBlocks("<ol start=3><li>Three</li><li>Four</li></ol>");
  expect(blocks).toEqual([{ type: "numbered-list", items: ["Three", "Four"] }]);
  expect(notes).toEqual(["A numbered list that started at 3 starts at 1."]);
});

test("only attributes are renamed, and twice changes nothing more", () => {
  const html = `<P STYLE = "a" class=b/style=c onclick='d()'>style="e" onclick=f <!-- <p style=g> --><a href=/?style=1 title="style=h"style=i></a></P><style media=x>p > b { c: d }</style>`;
  const renamed = withoutStyles(html);
  expect(renamed).toBe(
    `<P data-style = "a" class=b/style=c data-onclick='d()'>style="e" onclick=f <!-- <p style=g> --><a href=/?style=1 title="style=h"data-style=i></a></P><script type="text/x-style">p > b { c: d }</script>`,
  );
  expect(withoutStyles(renamed)).toBe(renamed);
});

test.each([
  [
    "a header, formats, links, line breaks and lists in cells",
    `<table><thead><tr><th>Plan</th><th><i>Price</i></th></tr></thead><tbody><tr><td><a href="https://a.example">Term</a></td><td>$1<br>a month</td></tr><tr><th scope=row>Whole</th><td><ul><li>One</li><li>Two</li></ul></td></tr></tbody></table>`,
    "| Plan | *Price* |\n| --- | --- |\n| [Term](https://a.example) | $1<br>a month |\n| **Whole** | – One<br>– Two |",
  ],
  [
    "bold first cells are a header, all bold ones are none",
    `<style>.xl65{font-weight:700}</style><table><tr><td class=xl65>Age</td><td class=xl65>Price</td></tr><tr><td>30</td><td>$1</td></tr></table><table><tr><td><b>a</b></td><td><b>b</b></td></tr><tr><td><b>c</b></td><td><b>d</b></td></tr></table>`,
    "| Age | Price |\n| --- | --- |\n| 30 | $1 |\n\n| **a** | **b** |\n| **c** | **d** |",
  ],
  [
    "its parts where they are shown, with a caption, a header of two rows and a note",
    `<table><caption>Rates</caption><tfoot><tr><td colspan=3>Before tax</td></tr></tfoot><tbody><tr><td>30</td><td>$1</td><td>$2</td></tr></tbody><thead><tr><th rowspan=2>Age</th><th colspan=2>Price</th></tr><tr><th>Men</th><th>Women</th></tr></thead></table>`,
    "Rates\n\n| Age | Price – Men | Price – Women |\n| --- | --- | --- |\n| 30 | $1 | $2 |\n\nBefore tax",
  ],
  [
    "without its empty rows and columns",
    `<table><tr><td></td><td>a</td><td>&nbsp;</td><td>b</td></tr><tr><td></td><td></td><td></td><td></td></tr><tr><td></td><td>c</td></tr></table>`,
    "| a | b |\n| c |  |",
  ],
  [
    "in a list, a quote, a layout and another element",
    `<ul><li>One<table><tr><th>a</th><th>b</th></tr></table></li><li>Two</li></ul><table><tr><td><table><tr><td>c</td><td>d</td></tr></table></td></tr></table><div role=table><div role=row><b role=columnheader>e</b><b role=columnheader>f</b></div><div role=row><span role=cell>g</span><span role=cell>h</span></div></div>`,
    "- One\n\n| a | b |\n| --- | --- |\n\n- Two\n\n| c | d |\n\n| e | f |\n| --- | --- |\n| g | h |",
  ],
  [
    "a bold header of two rows, as Word writes it",
    `<table class=MsoTableGrid><tr><td rowspan=2><p><b>Age</b></p></td><td colspan=2><p><b>Price</b></p></td></tr><tr><td><p><b>Men</b></p></td><td><p><b>Women</b></p></td></tr><tr><td><p>30</p></td><td><p>$1</p></td><td><p>$2</p></td></tr></table>`,
    "| Age | Price – Men | Price – Women |\n| --- | --- | --- |\n| 30 | $1 | $2 |",
  ],
  [
    "of which only the rows were copied",
    `<meta charset=utf-8><!--StartFragment--><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr><!--EndFragment-->`,
    "| a | b |\n| c | d |",
  ],
  [
    "of Excel",
    `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style><!--table{mso-displayed-decimal-separator:".";} .xl65{font-weight:700;}--></style></head><body link=blue><table border=0 cellpadding=0 width=128><!--StartFragment--><col width=64 span=2 style='width:48pt'><tr height=20><td height=20 class=xl65 width=64>Age</td><td class=xl65>Price</td></tr><tr><td align=right>30</td><td align=right>$25</td></tr><!--EndFragment--></table></body></html>`,
    "| Age | Price |\n| --- | --- |\n| 30 | $25 |",
  ],
  [
    "of Google Docs, with two paragraphs in a cell",
    `<b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span>Before</span></p><div dir="ltr" align="left"><table style="border:none"><colgroup><col width="312"/><col width="312"/></colgroup><tbody><tr style="height:0pt"><td><p dir="ltr"><span style="font-weight:700">Plan</span></p></td><td><p dir="ltr"><span style="font-weight:700">Price</span></p></td></tr><tr><td><p dir="ltr"><span>Term</span></p></td><td><p dir="ltr"><span>$25</span></p><p dir="ltr"><span>a month</span></p></td></tr></tbody></table></div><br /></b>`,
    "Before\n\n| Plan | Price |\n| --- | --- |\n| Term | $25<br>a month |",
  ],
  [
    "of Google Sheets",
    `<google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style><table xmlns="http://www.w3.org/1999/xhtml" dir="ltr" border="1" data-sheets-root="1"><colgroup><col width="100"/><col width="100"/></colgroup><tbody><tr><td style="font-weight:bold;">Age</td><td>30</td></tr><tr><td style="font-weight:bold;">Price</td><td>$25</td></tr></tbody></table>`,
    "| **Age** | 30 |\n| **Price** | $25 |",
  ],
])("a table stays a table: %s", (_what, html, text) => {
  const { blocks, notes } = htmlToBlocks(html);
  expect(blocksToText(blocks)).toBe(text);
  expect(notes).toEqual([]);
});

test("cells over several columns and rows are split, which is said", () => {
  const merged = `<table><tr><td rowspan=2>a</td><td>b</td></tr><tr><td>c</td></tr><tr><td colspan=1000>d</td></tr><tr><td>e</td><td>f</td></tr></table>`;
  const { blocks, notes } = htmlToBlocks(merged);
  expect(blocksToText(blocks)).toBe("| a | b |\n|  | c |\n| d |  |\n| e | f |");
  expect(notes).toEqual([
    "2 merged cells of tables were split. Their text is in their first part.",
  ]);
});

test("a table that is too large is cut, and one in a cell becomes text of that cell, which is said", () => {
  const row = `<tr>${"<td>a</td>".repeat(60)}</tr>`;
  const { blocks, notes } = htmlToBlocks(`<table>${row.repeat(101)}</table>`);
  const [table] = blocks;
  expect(blocks).toHaveLength(1);
  expect(table).toMatchObject({ type: "table", rows: { length: 100, 0: { length: 50 } } });
  expect(notes).toEqual([
    "A table has only its first 50 of 60 columns.",
    "A table has only its first 100 of 101 rows.",
  ]);
  const nested = `<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td><table><tr><td>d</td><td>e</td></tr></table></td></tr></table>`;
  const read = htmlToBlocks(nested);
  expect(blocksToText(read.blocks)).toBe("| a | b |\n| --- | --- |\n| c | d – e |");
  expect(read.notes).toEqual(["A table in a cell of another one became text of that cell."]);
  const plain = htmlToBlocks(nested.replaceAll("th>", "td>"));
  expect(blocksToText(plain.blocks)).toBe("a\n\nb\n\nc\n\n| d | e |");
  expect(plain.notes).toEqual(["A table with another one in a cell became paragraphs."]);
});

test.each([
  ["role", `<table role=presentation><tr><td>A</td><td>B</td></tr></table>`, "A\n\nB"],
  ["one cell", `<table><tr><td><p>A</p><p>B</p></td></tr></table>`, "A\n\nB"],
  [
    "empty cells beside the text",
    `<table><tr><td>&nbsp;</td><td>A</td></tr><tr><td></td><td>B</td></tr></table>`,
    "A\n\nB",
  ],
  [
    "a table in it",
    `<table><tr><td>A</td><td><table><tr><td>B</td></tr></table></td></tr></table>`,
    "A\n\nB",
  ],
  [
    "headings with their text",
    `<table><tr><td><h2>A</h2><p>a</p></td><td><h2>B</h2><p>b</p></td></tr></table>`,
    "## A\n\na\n\n## B\n\nb",
  ],
  [
    "one row of several paragraphs",
    `<table><tr><td>A</td><td><p>B</p><p>C</p></td></tr></table>`,
    "A\n\nB\n\nC",
  ],
])("a table that only arranges text is text: %s", (_why, html, text) => {
  expect(htmlToBlocks(html).notes).toEqual([]);
  expect(textOf(html)).toBe(text);
});
