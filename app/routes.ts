import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("home/home-page.tsx"),
  route("services", "services/services-page.tsx"),
  route("services/:slug", "services/service-page.tsx"),
  route("blog", "posts/posts-page.tsx"),
  route("blog/:slug", "posts/post-page.tsx"),
  route("blog/category/:slug", "posts/category-page.tsx"),
  route("blog/preview/:token", "posts/preview-page.tsx"),
  layout("auth/protected-layout.tsx", [
    route("blog/new", "manage/posts/new-post-page.tsx"),
    route("blog/:slug/edit", "manage/posts/edit-post-page.tsx"),
    layout("manage/manage-layout.tsx", [
      route("manage", "manage/start/overview-page.tsx"),
      route("manage/setup", "manage/setup/setup-page.tsx"),
      route("messages", "manage/messages/messages-page.tsx"),
      route("manage/testimonials/approved?", "manage/testimonials/testimonials-page.tsx"),
      route("manage/posts", "manage/posts/posts-list-page.tsx"),
      route("manage/settings", "manage/settings/settings-page.tsx"),
      route("manage/settings/:section", "manage/settings/section-page.tsx"),
      route("manage/visits", "manage/visits/visits-page.tsx"),
      route("manage/people", "manage/people/people-page.tsx"),
      route("manage/account", "manage/account/account-page.tsx"),
    ]),
  ]),
  route("testimonials", "testimonials/testimonials-page.tsx"),
  route("savings-calculator", "calculators/calculators-page.tsx"),
  route("contact", "contact/contact-page.tsx"),
  route("login", "auth/login-page.tsx"),
  route("forgot-password", "auth/forgot-password-page.tsx"),
  route("confirm", "auth/confirm-page.tsx"),

  // For machines
  route("share/blog/*", "posts/share-image-route.ts"),
  route("share/*", "seo/share-image-route.ts"),
  route("rss.xml", "posts/feed-route.ts", { id: "rss" }),
  route("atom.xml", "posts/feed-route.ts", { id: "atom" }),
  route("sitemap.xml", "sitemap/sitemap-route.ts", { id: "sitemap" }),
  route("sitemap/:file", "sitemap/sitemap-route.ts", { id: "sitemap-part" }),
  route("site-version", "config/site-version-route.ts"),
  route("favicon.svg", "seo/favicon-route.ts"),
  route("robots.txt", "seo/robots-route.ts"),

  route("*", "layout/not-found-page.tsx"),
] satisfies RouteConfig;
