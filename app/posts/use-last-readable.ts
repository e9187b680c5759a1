import { useState } from "react";
import type { PostList } from "./load-posts.ts";

/** The list, or what could last be read of it: a refetch that fails takes nothing off the page. */
export function useLastReadable(list: PostList): PostList {
  const [readable, setReadable] = useState(list);
  if (!list.failed && list !== readable) setReadable(list);
  return list.failed && !readable.failed && readable.page === list.page ? readable : list;
}
