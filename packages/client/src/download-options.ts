/** How far a ZIP is. */
export interface DownloadProgress {
  /** Files that are whole in it. */
  readonly doneFiles: number;
  /** Bytes of the files so far. */
  readonly loadedBytes: number;
}

/** Options of a ZIP. */
export interface DownloadOptions {
  /** Organization of the assets; default: that of the client. Shares have their own. */
  organizationId?: string | null | undefined;
  /** Maximum size of all files in bytes; default and maximum: 4 GiB. */
  maxBytes?: number | undefined;
  /** Called with each part that arrives. */
  onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /**
   * Called for a file that can't be opened after several attempts, such as one that was deleted meanwhile; the ZIP then
   * lacks it. Default: the ZIP fails.
   */
  onMissing?: ((fileName: string, error: unknown) => void) | undefined;
  /** Ends the listing and the ZIP, which then fail with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Requests the files from the storage; default: the global one. */
  fetch?: typeof fetch | undefined;
}
