// What differs between posts of the blog and pages of the owner's own, which share the editor and its tables.
import { reservedAddresses } from "../../config/reserved-addresses.ts";

interface Kind {
  name: "post" | "page";
  /** Of what is published. The table of pages has all columns of posts. */
  table: "posts" | "pages";
  /** The address below which its slug is. */
  folder: string;
  list: string;
  create: string;
  edit: (slug: string) => string;
}

const post: Kind = {
  ...{ name: "post", table: "posts", folder: "/blog/", list: "/manage/posts", create: "/blog/new" },
  edit: (slug) => `/blog/${slug}/edit`,
};

const page: Kind = {
  ...{ name: "page", table: "pages", folder: "/", list: "/manage/pages" },
  create: "/manage/pages/new",
  edit: (slug) => `/manage/pages/${slug}/edit`,
};

export function kindOf(isPage: boolean): Kind {
  return isPage ? page : post;
}

/** A text of the editor about a post, in the words of a page where it edits one. */
export function textFor(isPage: boolean, text: string): string {
  return isPage ? text.replace(/\bpost(?=s?\b)/g, "page") : text;
}

/** The slug of a page, as in the CHECK pages_slug_free, with room for a number. */
export function pageSlug(slug: string): string {
  return (
    slug
      .toLowerCase()
      .replace(/^[_-]+/, "")
      .slice(0, 95) || "page"
  );
}

/** Why a page cannot have a slug; null when it can. */
export function slugProblem(slug: string): string | null {
  return reservedAddresses.includes(slug)
    ? `The address /${slug} belongs to the site itself. Choose another one under Details.`
    : null;
}
