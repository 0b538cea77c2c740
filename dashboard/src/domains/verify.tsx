// Verify, later Re-verify: always possible, harmless, and it shows what was found.

import { Button } from '@mantine/core'
import type { Domain, ShownStatus } from '@petstore/contract/platform/domain-shapes'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { clockWords } from '../ui/now.ts'
import { statusViews } from './status-view.tsx'
import { keepDomain } from './use-domain.ts'

const { verify: words } = texts.domains
const found: Readonly<Record<ShownStatus, string>> = words.found

export function Verify({ domain }: { domain: Domain }) {
  const { slug, mayEdit } = useProject()
  const cache = useQueryClient()
  const [last, setLast] = useState<{ status: ShownStatus; at: number }>()
  const verify = useAction('verifyDomain', {
    onDone: (seen) => {
      keepDomain(cache, slug, seen)
      setLast({ status: seen.status, at: Date.now() })
    },
  })
  // The result is outdated once the domain's status has changed.
  const result = last?.status === domain.status ? last : undefined
  // The first success makes it Re-verify.
  const label = domain.verifiedAt === null ? words.first : words.again
  return (
    <div className="row">
      <Button
        onClick={() => verify.mutate({ project: slug, hostname: domain.hostname })}
        loading={verify.isPending}
        disabled={!mayEdit}
      >
        {label}
      </Button>
      {!result && <span className="quiet small">{mayEdit ? words.harmless : texts.common.needsAdmin}</span>}
      <span role="status" className="verify-found">
        {result && (
          <>
            <span className="quiet">{words.at(clockWords(result.at))}</span>{' '}
            <strong className={`tone-${statusViews[result.status].tone}`}>{wordsOf(domain)}</strong>
          </>
        )}
      </span>
    </div>
  )
}

/** An owner who has done their part does not get a failure message. */
const wordsOf = ({ status, axes: { ownership, routing } }: Domain): string =>
  status === 'action_required' && ownership === 'proven' && routing === 'pointing' ? words.verifiedBut : found[status]
