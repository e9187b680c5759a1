import { createContext, useContext } from "react";

/** What is wrong with the services, by path as the database writes it: "items[2].title". */
export type ServiceProblems = Readonly<Record<string, string>>;

export const ServiceProblemsContext = createContext<ServiceProblems>({});

export function useProblem(path: string): string | undefined {
  return useContext(ServiceProblemsContext)[path];
}

/** How many problems there are at or below any of the paths. */
export function useProblemCount(...paths: string[]): number {
  const problems = useContext(ServiceProblemsContext);
  return Object.keys(problems).filter((path) => paths.some((part) => isWithin(path, part))).length;
}

export function isWithin(path: string, part: string): boolean {
  return path === part || path.startsWith(`${part}.`) || path.startsWith(`${part}[`);
}
