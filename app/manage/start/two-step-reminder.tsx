import { useState } from "react";
import { useAuth } from "../../auth/auth-provider.tsx";
import { hasApp } from "../../auth/stored-account.ts";
import { browserStorage } from "../../browser/site-data.ts";
import { Button, TextLink } from "../button.tsx";

/** Removed at a sign-out, with everything that the browser keeps of the account. */
const dismissedKey = "two-step-reminder-dismissed";

/** Reminds owners of the two-step sign-in. */
export function TwoStepReminder() {
  const { user } = useAuth();
  const [isDismissed, setDismissed] = useState(() => browserStorage.getItem(dismissedKey) !== null);
  if (!user || hasApp(user) || isDismissed) return null;

  function dismiss() {
    browserStorage.setItem(dismissedKey, "yes");
    setDismissed(true);
  }

  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-surface px-4 py-3 sm:px-5">
      <p>
        <span>Your password alone protects this site. </span>
        <TextLink to="/manage/account">Turn on the two-step sign-in</TextLink>
      </p>
      <Button onClick={dismiss}>Not now</Button>
    </div>
  );
}
