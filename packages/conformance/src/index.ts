export { checkConformance } from './run.ts';
export type { ConformanceOptions, ConformanceReport, FullOptions, ReadOnlyOptions } from './run.ts';
export type { Credentials } from './accounts.ts';
export type { CoverageLine, CoverageReport } from './coverage.ts';
export type { CheckResult, Finding, Outcome } from './findings.ts';
export { Unreachable } from './deployment.ts';
export { githubReport } from './reporters/github.ts';
export { junitReport } from './reporters/junit.ts';
export { prettyReport } from './reporters/pretty.ts';
