interface ImportMetaEnv {
  /** Address of the API where it is not the origin of the app. */
  readonly VITE_API_URL?: string;
}
