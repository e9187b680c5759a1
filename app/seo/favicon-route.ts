import { redirect } from "react-router";
import { imageAddress } from "../config/image-address.ts";
import { siteContext } from "../config/request-context.ts";
import type { Route } from "./+types/favicon-route";
import defaultIcon from "./default-icon.svg?raw";

/** `/favicon.svg`: the uploaded icon, the firm's monogram, or the icon of the default site. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { site } = context.get(siteContext);
  const { icon } = site.firm;
  const headers = { "cache-control": "public, max-age=3600" };
  if (icon) return redirect(imageAddress(icon.src, 320), { headers });
  const svg =
    site.monogram === null
      ? defaultIcon
      : // Imported when needed, to keep the start of the server fast.
        (await import("./draw-share-image.ts")).drawIconSvg(site);
  return new Response(svg, { headers: { ...headers, "content-type": "image/svg+xml" } });
}
