import { data } from "react-router";

/**
 * Answers a form around signing in that was sent before, or without, its script. What was typed is
 * not read: a password is neither checked here nor sent back.
 */
export function refusePost() {
  return data("This form needs JavaScript, which was not loaded. Please try again.", {
    status: 400,
  });
}
