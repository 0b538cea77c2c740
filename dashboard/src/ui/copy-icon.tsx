// A button with an icon alone that copies the value beside it.

import { Button, CopyButton } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Icon } from './icon.tsx'

/** `what` names the value for screen readers. */
export const CopyIcon = ({ value, what }: { value: string; what: string }) => (
  <CopyButton value={value} timeout={2000}>
    {({ copied, copy }) => (
      <>
        <Button
          variant="subtle"
          size="compact-sm"
          className="icon-only"
          onClick={copy}
          aria-label={`${texts.common.copy}: ${what}`}
          title={texts.common.copy}
        >
          <Icon of={copied ? Check : Copy} size={16} />
        </Button>
        <span role="status" className="visually-hidden">
          {copied && texts.common.copied}
        </span>
      </>
    )}
  </CopyButton>
)
