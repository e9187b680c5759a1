import { useState } from "react";
import { useAuth } from "../../auth/auth-provider.tsx";
import { hasApp } from "../../auth/stored-account.ts";
import { browserStorage } from "../../browser/site-data.ts";
import { Button, ButtonLink } from "../button.tsx";

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
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-surface py-2 pr-2 pl-4 sm:pr-3 sm:pl-5">
      <p className="min-w-60 flex-1 leading-snug">
        Only your password protects this site. A second step at the sign-in makes it safer.
      </p>
      <div className="flex gap-2">
        <Button onClick={dismiss}>Not now</Button>
        <ButtonLink to="/manage/account">Turn on</ButtonLink>
      </div>
    </div>
  );
}
