type Work<T> = () => Promise<T>;

/** Gives a function that starts each work when the one handed in before has ended, well or not. */
export function oneAtATime<T>(): (work: Work<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work, work);
    last = result;
    return result;
  };
}
