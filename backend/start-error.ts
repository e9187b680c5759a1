/** The site cannot start. The message tells the person who starts it what to do, so it is printed without a stack. */
export class StartError extends Error {}
