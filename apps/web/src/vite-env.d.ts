interface ImportMetaEnv {
  /** URL of the API, if it has another origin than the app. */
  readonly VITE_API_URL?: string;
  /** `off` withdraws the service worker. */
  readonly VITE_SHELL_WORKER?: string;
}
