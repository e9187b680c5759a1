import { useState } from "react";
import type { PageState } from "./load-page.ts";

/** The page, or what could last be read of it: a refetch that fails takes nothing off the screen. */
export function useLastReadable<List extends PageState>(list: List): List {
  const [readable, setReadable] = useState(list);
  if (!list.failed && list !== readable) setReadable(list);
  return list.failed && !readable.failed && readable.page === list.page ? readable : list;
}
