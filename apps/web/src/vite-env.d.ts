interface ImportMetaEnv {
  /** URL of the API, if it has another origin than the app. */
  readonly VITE_API_URL?: string;
}
