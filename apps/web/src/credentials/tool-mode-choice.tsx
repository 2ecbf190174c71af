import type { ToolMode } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../texts/api-keys.ts';
import { keysOf } from '../ui/options.ts';
import { Choice, Option } from './choice.tsx';

const words = texts.creating;
const modes = keysOf(words.toolModes);

interface ToolModeChoiceProps {
  readonly chosen: ToolMode;
  readonly onChange: (mode: ToolMode) => void;
}

/** Lets the user choose what assistants may do with a new key without asking a person. */
export function ToolModeChoice({ chosen, onChange }: ToolModeChoiceProps): ReactNode {
  return (
    <Choice legend={words.toolMode} hint={words.toolModeHint}>
      {modes.map((mode) => (
        <Option
          key={mode}
          type="radio"
          name="toolMode"
          value={mode}
          {...words.toolModes[mode]}
          isChosen={chosen === mode}
          onChange={() => onChange(mode)}
        />
      ))}
    </Choice>
  );
}
