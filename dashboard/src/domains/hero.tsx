// A domain that is live: the good news first, and the way there.

import { Button } from '@mantine/core'
import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { ArrowUpRight } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import dog from '../ui/art/domain-live.svg'
import { Icon } from '../ui/icon.tsx'
import { sentenceOf } from './status-view.tsx'

const { hero: words, page } = texts.domains

export const Hero = ({ domain }: { domain: Domain }) => (
  <div className="live-hero">
    <div>
      <h2>{domain.redirect ? words.redirects : words.title}</h2>
      <p>{domain.redirect ? sentenceOf(domain) : words.text(domain.displayName)}</p>
      <Button
        component="a"
        variant="white"
        href={`https://${domain.hostname}/`}
        target="_blank"
        rel="noreferrer"
        leftSection={<Icon of={ArrowUpRight} size={18} />}
      >
        {page.visit}
      </Button>
    </div>
    <img src={dog} alt="" width={152} height={152} />
  </div>
)
