import type { ReactNode } from 'react';

/** The Google logo. Decorative: its name is shown beside it. */
export function GoogleMark(): ReactNode {
  return (
    <svg aria-hidden viewBox="0 0 24 24" className="size-4 shrink-0">
      <path
        fill="#4285f4"
        d="M23 12.27c0-.78-.07-1.53-.2-2.27H12v4.5h6.17a5.3 5.3 0 0 1-2.29 3.46v2.88h3.7C21.75 18.84 23 15.84 23 12.27Z"
      />
      <path
        fill="#34a853"
        d="M12 23.5c3.1 0 5.7-1.03 7.59-2.78l-3.7-2.88a6.9 6.9 0 0 1-10.3-3.62H1.76v2.97A11.5 11.5 0 0 0 12 23.5Z"
      />
      <path
        fill="#fbbc05"
        d="M5.59 14.22a6.9 6.9 0 0 1 0-4.44V6.81H1.76a11.5 11.5 0 0 0 0 10.38l3.83-2.97Z"
      />
      <path
        fill="#ea4335"
        d="M12 5.02c1.68 0 3.2.58 4.39 1.72l3.28-3.28A11.02 11.02 0 0 0 12 .5 11.5 11.5 0 0 0 1.76 6.81l3.83 2.97A6.86 6.86 0 0 1 12 5.02Z"
      />
    </svg>
  );
}

/** The GitHub logo. Decorative: its name is shown beside it. */
export function GithubMark(): ReactNode {
  return (
    <svg aria-hidden viewBox="0 0 16 16" fill="currentColor" className="size-4 shrink-0">
      <path d="M8 .2a8 8 0 0 0-2.53 15.59c.4.07.55-.17.55-.38v-1.34c-2.23.48-2.7-1.07-2.7-1.07-.36-.93-.89-1.17-.89-1.17-.72-.5.06-.49.06-.49.8.06 1.23.83 1.23.83.71 1.22 1.87.87 2.33.66.07-.52.28-.87.5-1.07-1.77-.2-3.64-.89-3.64-3.95 0-.88.31-1.59.82-2.15-.08-.2-.36-1.02.08-2.12 0 0 .67-.22 2.2.82a7.7 7.7 0 0 1 4 0c1.53-1.04 2.2-.82 2.2-.82.44 1.1.16 1.92.08 2.12.51.56.82 1.27.82 2.15 0 3.07-1.87 3.75-3.65 3.95.29.25.54.73.54 1.48v2.2c0 .21.15.46.55.38A8 8 0 0 0 8 .2Z" />
    </svg>
  );
}
