// Removes a domain: the consequences for visitors, as far as they are known; a redirect
// as the better choice where the address was shared; and afterwards which edges have
// stopped serving it.

import { Button } from '@mantine/core'
import type { DomainSettings, DomainSummary } from '@petstore-platform/contract/platform/domain-shapes'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { query, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { OrCancel } from '../ui/with-cancel.tsx'
import { Loading } from '../ui/states.tsx'
import { RemovalProgress } from './removal-progress.tsx'
import { statusViews } from './status-view.tsx'
import './redirects.css'

const { remove: words } = texts.redirects

type RemoveDialogProps = Pick<DialogProps, 'isOpen' | 'onClose' | 'backTo'> & {
  domain: DomainSummary
  onRemoved: () => void
}

export function RemoveDialog({ domain, isOpen, onClose, backTo, onRemoved }: RemoveDialogProps) {
  const { slug } = useProject()
  const settings = useQuery({ ...query('getDomainSettings', { project: slug }), enabled: isOpen })
  const removing = useAction('removeDomain', {
    renews: ['listDomains', 'getDomainSettings', 'getOverview', 'getProject', 'listProjects'],
  })
  const isRemoved = removing.isSuccess
  return (
    <Dialog
      isOpen={isOpen}
      onClose={isRemoved ? onRemoved : onClose}
      backTo={backTo}
      title={isRemoved ? words.done(domain.displayName) : words.title(domain.displayName)}
    >
      {isRemoved ? (
        <div className="stack">
          <RemovalProgress hostname={domain.hostname} />
          <div>
            <Button onClick={onRemoved}>{words.close}</Button>
          </div>
        </div>
      ) : settings.data || settings.error ? (
        <Question
          domain={domain}
          settings={settings.data}
          isBusy={removing.isPending}
          onClose={onClose}
          onRemove={() => removing.mutate({ project: slug, hostname: domain.hostname })}
        />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

type QuestionProps = {
  domain: DomainSummary
  settings: DomainSettings | undefined
  isBusy: boolean
  onClose: () => void
  onRemove: () => void
}

function Question({ domain, settings, isBusy, onClose, onRemove }: QuestionProps) {
  const { slug, defaultSiteUrl } = useProject()
  const navigate = useNavigate()
  const domains = useQuery(query('listDomains', { project: slug, limit: 2 }))
  const hasOthers = (domains.data?.length ?? 0) > 1
  const { isServed } = statusViews[domain.status]
  const effects = effectsOf(domain, settings, defaultSiteUrl)
  // An address may have been shared once it worked, or once others redirect to it.
  const isKnown = isServed || domain.isPrimary || domain.liveAt !== null || effects.length > 1
  return (
    <div className="stack">
      <ul className="effects">
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <div className={isKnown ? 'note warn stack tight' : 'note stack tight'}>
        <strong>{words.shared}</strong>
        <span>{domain.redirect ? words.sharedSends : words.sharedText}</span>
        {!hasOthers && domains.data && <span>{words.sharedOnly}</span>}
        {!domain.redirect && (
          <div>
            <Button
              variant="default"
              onClick={() =>
                void navigate({ to: '/projects/$project/settings/domains/redirects', params: { project: slug } })
              }
            >
              {words.toRedirects}
            </Button>
          </div>
        )}
      </div>
      <span className="quiet small">{words.again}</span>
      <OrCancel onCancel={onClose}>
        <Button data-tone="danger" onClick={onRemove} loading={isBusy}>
          {words.action}
        </Button>
      </OrCancel>
    </div>
  )
}

/** What ends with the domain, what matters most first. */
function effectsOf(domain: DomainSummary, settings: DomainSettings | undefined, defaultSiteUrl: string): string[] {
  const leading = (settings?.redirects ?? []).filter(({ to }) => to === domain.hostname).map(({ from }) => from)
  return [
    statusViews[domain.status].isServed ? words.isLive : words.notLive,
    ...(domain.isPrimary ? [words.isPrimary(new URL(defaultSiteUrl).host)] : []),
    ...(leading.length > 0 ? [words.receives(leading.join(', '))] : []),
    ...(domain.redirect ? [words.sends(domain.redirect.to)] : []),
  ]
}
