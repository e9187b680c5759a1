// The route of every page in manage-pages.ts. Only visitors with a session load the code of these pages.
import { type ReactNode, useState } from "react";
import { Navigate, useLocation, useRevalidator } from "react-router";
import { LoadingSession } from "../auth/auth-form.tsx";
import { useAuth } from "../auth/auth-provider.tsx";
import { lacksSecondStep, readStoredAccount } from "../auth/stored-account.ts";
import { loadModule } from "../loading/load-module.ts";
import { unlistedMeta } from "../seo/page-meta.ts";
import { mayHaveSession } from "../supabase/browser-client.ts";
import { LoadFailure } from "../ui/load-state.tsx";
import type { Route } from "./+types/owner-page";

export async function clientLoader(args: Route.ClientLoaderArgs) {
  // Without a session, or its second step, the page redirects to the login.
  if (!mayHaveSession() || lacksSecondStep(readStoredAccount()?.session ?? null)) return null;
  const manage = await loadModule(() => import("../manage/manage-page.tsx")).catch(() => null);
  return { opened: await manage?.openPage(args) };
}
clientLoader.hydrate = true as const;

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return unlistedMeta({ matches }, loaderData?.opened?.title ?? "Manage");
}

export function HydrateFallback() {
  return (
    <WithoutFrame>
      <LoadingSession />
    </WithoutFrame>
  );
}

/** Until the frame of the owner's area is there, which has the `main` of its pages. */
function WithoutFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return pathname.startsWith("/blog/") ? children : <main id="content">{children}</main>;
}

export default function OwnerPage({ loaderData }: Route.ComponentProps) {
  const { user, loading } = useAuth();
  const { pathname, search } = useLocation();
  const { revalidate } = useRevalidator();
  const [wasSignedIn, setSignedIn] = useState(false);
  if (user && !wasSignedIn) setSignedIn(true);
  if (!loading && !user) {
    return <Navigate to="/login" replace state={{ from: pathname + search, wasSignedIn }} />;
  }
  if (loading || !loaderData) return <HydrateFallback />;
  return (
    loaderData.opened?.content ?? (
      <WithoutFrame>
        <LoadFailure what="This page" onRetry={revalidate} className="wrap py-16" />
      </WithoutFrame>
    )
  );
}
