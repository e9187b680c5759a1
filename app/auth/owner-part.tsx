import { Suspense } from "react";
import { Link } from "react-router";
import { lazyOwnerPart } from "../loading/lazy-part.tsx";
import type { OwnerPartProps } from "./owner-part-props.ts";

const Part = lazyOwnerPart(
  () => import("../manage/start/owner-part.tsx"),
  ({ part, className, onClick }) => {
    if (!part.endsWith("link")) return null;
    const isManage = part === "manage link";
    return (
      <Link to={isManage ? "/manage" : "/messages"} className={className} onClick={onClick}>
        {isManage ? "Manage" : "Messages"}
      </Link>
    );
  },
);

/** A part of visitors' pages that only a signed-in user sees. */
export function OwnerPart(props: OwnerPartProps) {
  return (
    <Suspense>
      <Part {...props} />
    </Suspense>
  );
}
