import { index, type RouteConfig, route } from "@react-router/dev/routes";
import { managePages } from "./manage/manage-pages.ts";

export default [
  index("home/home-page.tsx"),
  route("services", "services/services-page.tsx"),
  route("services/:slug", "services/service-page.tsx"),
  route("blog", "posts/posts-page.tsx"),
  route("blog/:slug", "posts/post-page.tsx"),
  route("blog/category/:slug", "posts/category-page.tsx"),
  route("blog/preview/:token", "posts/preview-page.tsx"),
  ...managePages.map(({ path }) =>
    route(path.slice(1), "layout/owner-page.tsx", { id: `manage${path}` }),
  ),
  route("testimonials", "testimonials/testimonials-page.tsx"),
  route("savings-calculator", "calculators/calculators-page.tsx"),
  route("contact", "contact/contact-page.tsx"),
  route("login", "auth/login-page.tsx"),
  route("forgot-password", "auth/forgot-password-page.tsx"),
  route("confirm", "auth/confirm-page.tsx"),

  // For machines
  route("share/blog/*", "posts/post-share-image-route.ts"),
  route("share/*", "seo/share-image-route.ts"),
  route("rss.xml", "posts/feed-route.ts", { id: "rss" }),
  route("atom.xml", "posts/feed-route.ts", { id: "atom" }),
  route("sitemap.xml", "sitemap/sitemap-route.ts"),
  route("site-version", "config/site-version-route.ts"),
  route("favicon.svg", "seo/favicon-route.ts"),
  route("robots.txt", "seo/robots-route.ts"),

  // After all others in this list; config/reserved-addresses.ts has their first segments.
  route(":slug", "pages/own-page.tsx"),
  route("*", "layout/not-found-page.tsx"),
] satisfies RouteConfig;
