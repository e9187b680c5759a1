// Makes the recovery codes of the account, and shows them once. On the page of the account, and at the end of the setup.
import { useRef, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { Button, CopyButton } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { createRecoveryCodes } from "./account.ts";
import { SignInAgain } from "./sign-in-again.tsx";

/** @param props.left how many codes still work */
export function RecoveryCodes({ left }: { left: number }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const part = useRef<HTMLDivElement>(null);

  /** Moves the focus along: the button that had it is gone. */
  function show(made: string[] | null) {
    flushSync(() => setCodes(made));
    part.current?.focus();
  }

  return (
    <div ref={part} tabIndex={-1} className="mt-5 space-y-4 outline-none">
      {codes ? (
        <NewCodes codes={codes} onStored={() => show(null)} />
      ) : (
        <MakeCodes left={left} onMade={show} />
      )}
    </div>
  );
}

interface MakeCodesProps {
  left: number;
  onMade: (codes: string[]) => void;
}

function MakeCodes({ left, onMade }: MakeCodesProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <p className={`rounded-md p-4 ${left > 0 ? "bg-sage" : "bg-clay-soft"}`}>
        {left === 0
          ? "You have no recovery codes. Without one, a forgotten password or a lost phone can lock you out."
          : left === 1
            ? "One code is left. Make new ones soon."
            : `${left} codes are left.`}
      </p>
      {/* A last child that is not shown would leave a gap. */}
      <div>
        <Button onClick={() => dialog.current?.showModal()}>
          {left > 0 ? "New recovery codes" : "Make recovery codes"}
        </Button>
        <SignInAgain
          ref={dialog}
          title={left > 0 ? "Make new recovery codes?" : "Make recovery codes"}
          text={`Whoever has a code can open your account, so please enter your password first.${left > 0 ? " Your earlier codes stop working." : ""}`}
          confirm="Make codes"
          onSignedIn={async (client) => onMade(await createRecoveryCodes(client))}
        />
      </div>
    </>
  );
}

function NewCodes({ codes, onStored }: { codes: string[]; onStored: () => void }) {
  const { firm } = useSite();
  const text = codes.join("\n");
  return (
    <>
      <p>
        <strong>Store these recovery codes now: </strong>
        <span>
          they are not shown again, and replace all earlier ones. Print them and keep them where
          your password is not. Each works once.
        </span>
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-6 gap-y-1 rounded-md border border-line p-4 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton
          text={text}
          copied="Codes Copied"
          next="Paste them where your password is not."
          advice="Select the codes instead."
        >
          Copy
        </CopyButton>
        <a
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`Recovery codes, ${firm.name}\n\n${text}\n`.toWellFormed())}`}
          className={buttonClass("secondary", "small")}
        >
          Download
        </a>
        <Button onClick={() => window.print()}>Print</Button>
      </div>
      <Button look="primary" onClick={onStored}>
        I have stored them
      </Button>
      {createPortal(<Sheet codes={codes} />, document.body)}
    </>
  );
}

/** What is printed, in place of the page. */
function Sheet({ codes }: { codes: string[] }) {
  const { firm, contact } = useSite();
  const { user } = useAuth();
  const [madeAt] = useState(() => formatMoment(new Date().toISOString(), contact.timeZone));
  const { host } = window.location;
  return (
    <div className="code-sheet">
      <h1 className="text-3xl">{`Recovery codes, ${firm.name}`}</h1>
      <p className="mt-2">{`For ${user?.email}, made ${madeAt}. They replace all earlier ones.`}</p>
      <ul className="mt-6 grid grid-cols-2 gap-x-10 gap-y-3 font-mono text-xl">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <h2 className="mt-8 text-xl">If you forget your password</h2>
      <p className="mt-1">{`Open ${host}/forgot-password and choose "I have a recovery code".`}</p>
      <h2 className="mt-4 text-xl">If you lose the phone with your authenticator app</h2>
      <p className="mt-1">{`Sign in at ${host}/login and choose "Use a recovery code".`}</p>
      <p className="mt-6">
        Each code works once: cross it out. Keep this sheet where your password is not.
      </p>
    </div>
  );
}
