// Project settings, Domains: what there is, and Add domain.

import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Route } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { usePages } from '../api.ts'
import { renew } from '../renew.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { AddDomain } from './add-domain.tsx'
import { useDomainDialogs } from './menu-place.tsx'
import { DomainsList } from './domains-list.tsx'
import { NoDomains } from './no-domains.tsx'
import { useLacking, WayOut } from './prerequisites.tsx'
import './domains.css'

const words = texts.domains
const AGAIN_MS = 5000

export function DomainsPage() {
  const { slug, mayEdit } = useProject()
  const [isAdding, setAdding] = useState(false)
  const { first: lacking } = useLacking()
  const found = usePages('listDomains', { project: slug, limit: 50 })
  useAgain()
  const list = useRef<HTMLDivElement>(null)
  const { open, dialogs } = useDomainDialogs({ afterRemoval: list })
  const isFormShown = isAdding || found.data?.pages[0]?.items.length === 0
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <>
          {(found.data?.pages[0]?.items.length ?? 0) > 0 && <ToRedirects />}
          {mayEdit && !isFormShown && (
            <Button leftSection={<Icon of={Plus} size={18} />} onClick={() => setAdding(true)}>
              {words.add}
            </Button>
          )}
        </>
      }
    >
      {lacking && !isFormShown && <WayOut lacking={lacking} />}
      {dialogs}
      <Loaded from={found}>
        {({ pages }) => {
          const domains = pages.flatMap(({ items }) => items)
          return (
            <>
              {isFormShown && (
                <AddDomain
                  isFocused={isAdding}
                  lacking={lacking}
                  {...(domains.length > 0 && { onCancel: () => setAdding(false) })}
                />
              )}
              <div ref={list} tabIndex={-1}>
                {domains.length === 0 ? <NoDomains /> : <DomainsList domains={domains} onOpen={open} />}
              </div>
              {domains.length > 0 && <Beside count={domains.length} hasMore={found.hasNextPage} />}
              {found.hasNextPage && (
                <div>
                  <Button
                    variant="default"
                    loading={found.isFetchingNextPage}
                    onClick={() => void found.fetchNextPage()}
                  >
                    {texts.common.more}
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function ToRedirects() {
  const { slug } = useProject()
  const to = { to: '/projects/$project/settings/domains/redirects', params: { project: slug } } as const
  return (
    <Button
      variant="default"
      className="to-redirects"
      leftSection={<Icon of={Route} size={18} />}
      renderRoot={(props) => <Link {...to} {...props} />}
    >
      {words.list.redirects}
    </Button>
  )
}

/** How many of them the plan includes, and where the site is anyway. */
function Beside({ count, hasMore }: { count: number; hasMore: boolean }) {
  const { limits, siteUrl, defaultSiteUrl } = useProject()
  return (
    <p className="quiet small">
      {!hasMore && `${words.list.used(count, limits.customDomains)}. `}
      {words.list.defaultAddress} <a href={defaultSiteUrl}>{defaultSiteUrl}</a>
      {siteUrl !== defaultSiteUrl && ` ${words.list.defaultRedirects(new URL(siteUrl).host)}`}
    </p>
  )
}

/** A list that is left open stays true. */
function useAgain(): void {
  const cache = useQueryClient()
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void renew(cache, ['listDomains'])
    }, AGAIN_MS)
    return () => clearInterval(timer)
  }, [cache])
}
