/** Numbers of the seeded records. */
export interface Sizes {
  readonly assets: number;
  readonly activities: number;
  readonly tasks: number;
  readonly shortColumn: number;
  readonly longColumn: number;
}

export const fullSizes: Sizes = {
  assets: 1_000_000,
  activities: 1_000_000,
  tasks: 200,
  shortColumn: 10,
  longColumn: 10_000,
};

/** For a run without valid figures, which checks that the benchmark runs. */
export const quickSizes: Sizes = {
  assets: 5_000,
  activities: 5_000,
  tasks: 200,
  shortColumn: 10,
  longColumn: 500,
};
