interface DownloadErrorInit extends ErrorOptions {
  readonly fileName?: string;
  readonly status?: number;
}

const problems = {
  too_many_files: 'a ZIP takes at most 2,000 files',
  too_large: 'the files are larger than a ZIP may be',
  no_files: 'there are no files that can be read',
  wrong_length: 'the storage has another length than the service says',
  refused: 'the storage refuses it',
  ended: 'the share has ended',
};

/** Files can't be downloaded as a ZIP. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /**
   * `too_many_files`, `too_large`: beyond the limits, nothing was downloaded; `no_files`: there are none, or none can be
   * read; `wrong_length`: a file is shorter or longer than the service says; `refused`: the storage responded with
   * `status`; `ended`: the share ended meanwhile, `cause` is the error of the API.
   */
  declare readonly code: keyof typeof problems;
  /** Null if it isn't about a single file. */
  declare readonly fileName: string | null;
  /** HTTP status of the storage; null if it isn't `refused`. */
  declare readonly status: number | null;

  constructor(code: DownloadError['code'], init: DownloadErrorInit = {}) {
    const { fileName = null, status = null, ...options } = init;
    const about = fileName === null ? '' : `${fileName}: `;
    super(`${about}${problems[code]}${status === null ? '' : ` (HTTP ${status})`}`, options);
    Object.assign(this, { code, fileName, status });
  }
}
