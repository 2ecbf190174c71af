'use client';

import { ApiError, type Task } from '@atelier/client';
import { useState } from 'react';

export function FirstTitle({ tasks }: { readonly tasks: readonly Task[] }) {
  const [error] = useState<unknown>(null);
  return <p>{error instanceof ApiError ? error.code : tasks[0]?.title}</p>;
}
