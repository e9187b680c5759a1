// What differs between posts of the blog and pages of the owner's own, which share the editor and its tables.
import { reservedAddresses } from "../../config/reserved-addresses.ts";
import { generatedTagline } from "../../posts/post-content.ts";
import { generatedAlt } from "../../posts/posts.ts";

export interface Kind {
  name: "post" | "page";
  /** Also the name of the table of what is published. Both tables have the same columns. */
  names: "posts" | "pages";
  /** For headings and buttons. */
  title: string;
  /** In sentences about what is public. */
  fullName: string;
  editorTitles: { draft: string; scheduled: string; published: string };
  /** Whether it has an image, a category, an author and related services, and can be scheduled. */
  inBlog: boolean;
  /** The address below which its slug is. */
  folder: string;
  /** The list of the owner. */
  list: string;
  /** The page after the editor. */
  home: string;
  create: string;
  edit: (slug: string) => string;
  /** What empty fields stand for. */
  tagline: (title: string) => string;
  alt: (title: string) => string;
  toSlug: (wanted: string) => string;
  /** Why it cannot have a slug; null when it can. */
  slugProblem: (slug: string) => string | null;
}

const post: Kind = {
  ...{ name: "post", names: "posts", title: "Post", fullName: "blog post", inBlog: true },
  editorTitles: {
    draft: "Create New Blog Post",
    scheduled: "Edit Scheduled Post",
    published: "Edit Post",
  },
  ...{ folder: "/blog/", list: "/manage/posts", home: "/blog", create: "/blog/new" },
  edit: (slug) => `/blog/${slug}/edit`,
  ...{ tagline: generatedTagline, alt: generatedAlt },
  toSlug: (wanted) => wanted,
  slugProblem: () => null,
};

const page: Kind = {
  ...{ name: "page", names: "pages", title: "Page", fullName: "page", inBlog: false },
  editorTitles: { ...post.editorTitles, draft: "Create New Page", published: "Edit Page" },
  ...{ folder: "/", list: "/manage/pages", home: "/manage/pages", create: "/manage/pages/new" },
  edit: (slug) => `/manage/pages/${slug}/edit`,
  ...{ tagline: () => "", alt: () => "" },
  /** As in the CHECK pages_slug_free, with room for a number. */
  toSlug: (wanted) =>
    wanted
      .toLowerCase()
      .replace(/^[_-]+/, "")
      .slice(0, 95) || "page",
  slugProblem: (slug) =>
    reservedAddresses.includes(slug)
      ? `The address /${slug} belongs to the site itself. Choose another one.`
      : null,
};

export const kinds = { post, page };

/** The kind that a page of the owner is about. */
export function kindAt(path: string): Kind {
  return path.startsWith(page.list) ? page : post;
}
