// Verify, later Re-verify: always possible, harmless, and it shows what was found.

import { Button } from '@mantine/core'
import type { Domain, ShownStatus } from '@petstore-platform/contract/platform/domain-shapes'
import { RefreshCw } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { clockWords } from '../ui/now.ts'
import { statusViews } from './status-view.tsx'
import { keepDomain } from './use-domain.ts'
import { resultWords, verifyLabel } from './verify-result.ts'

const { verify: words } = texts.domains

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
  return (
    <div className="stack tight verify">
      <Button
        onClick={() => verify.mutate({ project: slug, hostname: domain.hostname })}
        // Where all is well, there is nothing that it should outshine.
        {...(domain.status === 'live' && { variant: 'default' })}
        loading={verify.isPending}
        disabled={!mayEdit}
        leftSection={<Icon of={RefreshCw} size={18} />}
      >
        {verifyLabel(domain)}
      </Button>
      {!result && <span className="quiet tiny">{mayEdit ? words.harmless : texts.common.needsAdmin}</span>}
      <span role="status" className="small">
        {result && (
          <>
            <span className="quiet">{words.at(clockWords(result.at))}</span>{' '}
            <strong className={`tone-${statusViews[result.status].tone}`}>{resultWords(domain)}</strong>
          </>
        )}
      </span>
    </div>
  )
}
