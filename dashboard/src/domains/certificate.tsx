// The certificate that visitors get: its issuer, its validity, and that it is renewed
// automatically.

import type { DomainCertificate } from '@petstore-platform/contract/platform/domain-shapes'
import { ShieldCheck } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { Time } from '../ui/time.tsx'

const { certificate: words } = texts.domains

export const Certificate = ({ certificate }: { certificate: DomainCertificate }) => {
  const facts = [
    [words.authority, certificate.authority],
    [words.validUntil, <Time key="until" at={certificate.validUntil} />],
    [words.renewsAt, <Time key="renews" at={certificate.renewsAt} />],
  ] as const
  return (
    <section className="card stack" aria-label={words.title}>
      <div className="row whole">
        <Glyph of={ShieldCheck} />
        <div>
          <h2>{words.title}</h2>
          <p className="quiet small plain">{words.byUs}</p>
        </div>
      </div>
      <dl className="certificate-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
