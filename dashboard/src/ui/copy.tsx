// A value to be pasted elsewhere, with a button that copies it.

import { Button, CopyButton } from '@mantine/core'
import { texts } from '../texts/texts.ts'

/** `what` distinguishes the buttons for screen readers. */
export const Copy = ({ value, what, label }: { value: string; what: string; label?: string }) => (
  <CopyButton value={value} timeout={2000}>
    {({ copied, copy }) => (
      <Button
        size="compact-sm"
        variant="default"
        onClick={copy}
        aria-label={`${copied ? texts.common.copied : (label ?? texts.common.copy)}: ${what}`}
      >
        <span aria-live="polite">{copied ? texts.common.copied : (label ?? texts.common.copy)}</span>
      </Button>
    )}
  </CopyButton>
)
