// The shared link for a person who manages the DNS of a domain and has no account:
// create, copy, revoke. The link is shown once, because only its digest is stored.

import { Button, TextInput } from '@mantine/core'
import type { DomainSummary } from '@petstore-platform/contract/platform/domain-shapes'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Copy } from '../ui/copy.tsx'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { timeWords } from '../ui/time.tsx'

const { share: words } = texts.redirects

type ShareDialogProps = Pick<DialogProps, 'isOpen' | 'onClose' | 'backTo'> & { domain: DomainSummary }

export function ShareDialog({ domain: { hostname, displayName }, isOpen, onClose, backTo }: ShareDialogProps) {
  const { slug: project } = useProject()
  const revoking = useAction('revokeDomainShares', { onDone: () => sharing.reset() })
  const sharing = useAction('shareDomain', { onDone: () => revoking.reset() })
  const share = sharing.data
  const close = () => {
    sharing.reset()
    revoking.reset()
    onClose()
  }
  return (
    <Dialog isOpen={isOpen} onClose={close} backTo={backTo} title={words.title} isWide>
      <div className="stack">
        <span>{words.text(displayName)}</span>
        <div className="stack" aria-live="polite">
          {share && (
            <>
              <TextInput
                label={words.link}
                value={share.link}
                readOnly
                onFocus={({ currentTarget }) => currentTarget.select()}
              />
              <div className="row">
                <Copy value={share.link} what={words.copyWhat} />
                <span className="small">{words.until(timeWords(share.expiresAt))}</span>
              </div>
            </>
          )}
          {revoking.isSuccess && <span className="note good">{words.revoked}</span>}
        </div>
        <div className="row">
          <Button
            variant={share ? 'default' : 'filled'}
            onClick={() => sharing.mutate({ project, hostname })}
            loading={sharing.isPending}
          >
            {share ? words.another : words.make}
          </Button>
          <Button
            variant="subtle"
            data-tone="danger"
            onClick={() => revoking.mutate({ project, hostname })}
            loading={revoking.isPending}
          >
            {words.revoke}
          </Button>
        </div>
        <span className="quiet small">{words.revokeText}</span>
      </div>
    </Dialog>
  )
}
