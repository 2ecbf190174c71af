/** The service's own clock: the only source of "now" for every lifetime. */
export interface Clock {
  now(): Date;
}
