// The texts around the advice in mails about domains, in the languages that a person can choose.
// The advice itself is that of the domain's page, in English.

import type { Language } from '@petstore-platform/contract/platform/site'

/** About one domain, or about several. */
type OneOrMore = { one: (host: string) => string; more: (count: number) => string }

export type DomainTexts = {
  alert: { subject: OneOrMore; next: string }
  down: { subject: OneOrMore; text: OneOrMore }
  reminder: { subject: OneOrMore; text: OneOrMore; next: string }
  live: { subject: OneOrMore; text: OneOrMore }
  restored: { subject: OneOrMore; text: OneOrMore }
  renewal: {
    subject: { one: (host: string, day: string) => string; more: (count: number, day: string) => string }
    text: string
    validUntil: string
    next: string
  }
  moved: { subject: OneOrMore; text: (project: string) => string; unexpected: (project: string) => string }
  addresses: {
    subject: (count: number, day: string) => string
    text: (day: string) => string
    until: (day: string) => string
  }
  /** Before the records to set. */
  records: string
  forward: string
  others: (count: number) => string
  openDomain: string
  openDomains: string
  member: (project: string) => string
  owed: (project: string) => string
}

const counted = (words: readonly string[]) => (count: number) => words[count] ?? String(count)
const english = counted(['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'])
const german = counted(['keinen', 'einen', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'])
const french = counted(['aucun', 'un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf'])
const spanish = counted(['ningún', 'un', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve'])

export const domainTexts: Readonly<Record<Language, DomainTexts>> = {
  en: {
    alert: {
      subject: { one: (host) => `Action required: ${host}`, more: (count) => `Action required: ${count} domains` },
      next: 'We keep checking. As soon as this is fixed everything else happens automatically; nothing has to be confirmed.',
    },
    down: {
      subject: { one: (host) => `${host} is down`, more: (count) => `${count} domains are down` },
      text: {
        one: () => 'Visitors have not been able to reach your site under this domain for an hour. This is the cause:',
        more: () =>
          'Visitors have not been able to reach your site under these domains for an hour. This is the cause:',
      },
    },
    reminder: {
      subject: { one: (host) => `${host} is not live yet`, more: (count) => `${count} domains are not live yet` },
      text: { one: (host) => `This is what ${host} still needs:`, more: () => 'This is what they still need:' },
      next: 'We remind you one day and three days after a domain was added, and then no more. The page of the domain always shows what is missing.',
    },
    live: {
      subject: { one: (host) => `${host} is live`, more: (count) => `${count} domains are live` },
      text: {
        one: (host) => `Visitors now reach your site at https://${host}. Its certificate is renewed automatically.`,
        more: () => 'Visitors now reach your site at these domains. Their certificates are renewed automatically.',
      },
    },
    restored: {
      subject: { one: (host) => `${host} works again`, more: (count) => `${count} domains work again` },
      text: {
        one: (host) =>
          `The problem that we wrote to you about is solved. Visitors reach your site at https://${host} again.`,
        more: () =>
          'The problem that we wrote to you about is solved. Visitors reach your site at these domains again.',
      },
    },
    renewal: {
      subject: {
        one: (host, day) => `The certificate of ${host} expires on ${day}`,
        more: (count, day) => `The certificates of ${count} domains expire, the first on ${day}`,
      },
      text: 'The site works until then. We cannot renew the certificate, and browsers refuse to open a site without a valid one. This is the cause:',
      validUntil: 'Valid until',
      next: 'We keep trying automatically until it succeeds.',
    },
    moved: {
      subject: {
        one: (host) => `${host} was moved to another project`,
        more: (count) => `${count} domains were moved to another project`,
      },
      text: (project) =>
        `A member of another project proved with a DNS record that the domain is theirs. It no longer belongs to ${project}, and visitors see the site of the other project.`,
      unexpected: (project) =>
        `If you did not expect this, a person whom you do not know can change the DNS of your domain: change the password at your DNS provider, then add the domain to ${project} again. We then show the record that moves it back.`,
    },
    addresses: {
      subject: (count, day) => `Change ${english(count)} DNS ${count === 1 ? 'record' : 'records'} before ${day}`,
      text: (day) =>
        `The addresses of our servers change on ${day}. These domains use fixed addresses, so their records must be changed. Set these in place of the present A and AAAA records:`,
      until: (day) =>
        `Change them before ${day}: from that day on, visitors do not reach your site under the old addresses. Domains with a CNAME or ALIAS record need no change.`,
    },
    records: 'Records to set:',
    forward: 'If another person manages your DNS, forward this mail to them.',
    others: (count) => `And ${count} more; the dashboard lists all of them.`,
    openDomain: 'Open the domain',
    openDomains: 'Open the domains',
    member: (project) => `You get this mail because you are a member of ${project}.`,
    owed: (project) => `You get this mail because you are responsible for ${project}. It cannot be turned off.`,
  },
  de: {
    alert: {
      subject: { one: (host) => `Bitte handeln: ${host}`, more: (count) => `Bitte handeln: ${count} Domains` },
      next: 'Wir prüfen weiter. Sobald das behoben ist, geschieht alles Weitere automatisch; Sie müssen nichts bestätigen.',
    },
    down: {
      subject: {
        one: (host) => `${host} ist nicht erreichbar`,
        more: (count) => `${count} Domains sind nicht erreichbar`,
      },
      text: {
        one: () => 'Unter dieser Domain ist Ihre Website seit einer Stunde nicht erreichbar. Das ist die Ursache:',
        more: () => 'Unter diesen Domains ist Ihre Website seit einer Stunde nicht erreichbar. Das ist die Ursache:',
      },
    },
    reminder: {
      subject: {
        one: (host) => `${host} ist noch nicht online`,
        more: (count) => `${count} Domains sind noch nicht online`,
      },
      text: { one: (host) => `Das fehlt für ${host} noch:`, more: () => 'Das fehlt noch:' },
      next: 'Wir erinnern einen Tag und drei Tage nach dem Hinzufügen einer Domain, danach nicht mehr. Die Seite der Domain zeigt immer, was fehlt.',
    },
    live: {
      subject: { one: (host) => `${host} ist online`, more: (count) => `${count} Domains sind online` },
      text: {
        one: (host) =>
          `Ihre Website ist jetzt unter https://${host} erreichbar. Das Zertifikat wird automatisch erneuert.`,
        more: () =>
          'Ihre Website ist jetzt unter diesen Domains erreichbar. Die Zertifikate werden automatisch erneuert.',
      },
    },
    restored: {
      subject: {
        one: (host) => `${host} funktioniert wieder`,
        more: (count) => `${count} Domains funktionieren wieder`,
      },
      text: {
        one: (host) =>
          `Das Problem, wegen dem wir Ihnen geschrieben haben, ist gelöst. Ihre Website ist unter https://${host} wieder erreichbar.`,
        more: () =>
          'Das Problem, wegen dem wir Ihnen geschrieben haben, ist gelöst. Ihre Website ist unter diesen Domains wieder erreichbar.',
      },
    },
    renewal: {
      subject: {
        one: (host, day) => `Das Zertifikat von ${host} läuft am ${day} ab`,
        more: (count, day) => `Die Zertifikate von ${count} Domains laufen ab, das erste am ${day}`,
      },
      text: 'Bis dahin funktioniert die Website. Wir können das Zertifikat nicht erneuern, und ohne gültiges Zertifikat öffnen Browser die Website nicht. Das ist die Ursache:',
      validUntil: 'Gültig bis',
      next: 'Wir versuchen es automatisch weiter, bis es gelingt.',
    },
    moved: {
      subject: {
        one: (host) => `${host} gehört jetzt zu einem anderen Projekt`,
        more: (count) => `${count} Domains gehören jetzt zu einem anderen Projekt`,
      },
      text: (project) =>
        `Ein Mitglied eines anderen Projekts hat mit einem DNS-Eintrag bewiesen, dass die Domain ihm gehört. Sie gehört nicht mehr zu ${project}, und Besucher sehen die Website des anderen Projekts.`,
      unexpected: (project) =>
        `Wenn Sie das nicht erwarten, kann eine Person, die Sie nicht kennen, das DNS Ihrer Domain ändern: Ändern Sie das Passwort bei Ihrem DNS-Anbieter und fügen Sie die Domain dann wieder zu ${project} hinzu. Wir zeigen Ihnen dann den Eintrag, der sie zurückholt.`,
    },
    addresses: {
      subject: (count, day) =>
        `Bitte vor dem ${day} ${german(count)} DNS-${count === 1 ? 'Eintrag' : 'Einträge'} ändern`,
      text: (day) =>
        `Die Adressen unserer Server ändern sich am ${day}. Diese Domains verwenden feste Adressen, deshalb müssen ihre Einträge geändert werden. Setzen Sie diese anstelle der jetzigen A- und AAAA-Einträge:`,
      until: (day) =>
        `Ändern Sie sie vor dem ${day}: Ab diesem Tag ist Ihre Website unter den alten Adressen nicht mehr erreichbar. Domains mit einem CNAME- oder ALIAS-Eintrag bleiben, wie sie sind.`,
    },
    records: 'Diese Einträge setzen:',
    forward: 'Wenn sich jemand anderes um Ihr DNS kümmert, leiten Sie diese E-Mail weiter.',
    others: (count) => `Und ${count} weitere; die Übersicht zeigt alle.`,
    openDomain: 'Domain öffnen',
    openDomains: 'Domains öffnen',
    member: (project) => `Sie erhalten diese E-Mail als Mitglied von ${project}.`,
    owed: (project) =>
      `Sie erhalten diese E-Mail, weil Sie für ${project} verantwortlich sind. Sie lässt sich nicht abbestellen.`,
  },
  fr: {
    alert: {
      subject: { one: (host) => `Action requise : ${host}`, more: (count) => `Action requise : ${count} domaines` },
      next: 'Nous continuons à vérifier. Dès que c’est corrigé, tout le reste est automatique ; il n’y a rien à confirmer.',
    },
    down: {
      subject: {
        one: (host) => `${host} est inaccessible`,
        more: (count) => `${count} domaines sont inaccessibles`,
      },
      text: {
        one: () => 'Votre site est inaccessible sous ce domaine depuis une heure. En voici la cause :',
        more: () => 'Votre site est inaccessible sous ces domaines depuis une heure. En voici la cause :',
      },
    },
    reminder: {
      subject: {
        one: (host) => `${host} n’est pas encore en ligne`,
        more: (count) => `${count} domaines ne sont pas encore en ligne`,
      },
      text: { one: (host) => `Voici ce qui manque encore à ${host} :`, more: () => 'Voici ce qui manque encore :' },
      next: 'Nous envoyons un rappel un jour et trois jours après l’ajout d’un domaine, puis plus aucun. La page du domaine montre toujours ce qui manque.',
    },
    live: {
      subject: { one: (host) => `${host} est en ligne`, more: (count) => `${count} domaines sont en ligne` },
      text: {
        one: (host) =>
          `Votre site est maintenant accessible à l’adresse https://${host}. Son certificat est renouvelé automatiquement.`,
        more: () =>
          'Votre site est maintenant accessible sous ces domaines. Leurs certificats sont renouvelés automatiquement.',
      },
    },
    restored: {
      subject: {
        one: (host) => `${host} fonctionne à nouveau`,
        more: (count) => `${count} domaines fonctionnent à nouveau`,
      },
      text: {
        one: (host) =>
          `Le problème que nous vous avions signalé est résolu. Votre site est de nouveau accessible à l’adresse https://${host}.`,
        more: () =>
          'Le problème que nous vous avions signalé est résolu. Votre site est de nouveau accessible sous ces domaines.',
      },
    },
    renewal: {
      subject: {
        one: (host, day) => `Le certificat de ${host} expire le ${day}`,
        more: (count, day) => `Les certificats de ${count} domaines expirent, le premier le ${day}`,
      },
      text: 'Le site fonctionne jusque-là. Nous ne parvenons pas à renouveler le certificat, et les navigateurs refusent d’ouvrir un site sans certificat valable. En voici la cause :',
      validUntil: 'Valable jusqu’au',
      next: 'Nous réessayons automatiquement jusqu’à ce que cela réussisse.',
    },
    moved: {
      subject: {
        one: (host) => `${host} est passé à un autre projet`,
        more: (count) => `${count} domaines sont passés à un autre projet`,
      },
      text: (project) =>
        `Un membre d’un autre projet a prouvé par un enregistrement DNS que le domaine lui appartient. Il ne fait plus partie de ${project}, et les visiteurs voient le site de l’autre projet.`,
      unexpected: (project) =>
        `Si vous ne vous y attendiez pas, une personne que vous ne connaissez pas peut modifier le DNS de votre domaine : changez le mot de passe chez votre fournisseur DNS, puis ajoutez de nouveau le domaine à ${project}. Nous affichons alors l’enregistrement qui le récupère.`,
    },
    addresses: {
      subject: (count, day) =>
        `Modifiez ${french(count)} ${count === 1 ? 'enregistrement' : 'enregistrements'} DNS avant le ${day}`,
      text: (day) =>
        `Les adresses de nos serveurs changent le ${day}. Ces domaines utilisent des adresses fixes ; leurs enregistrements doivent donc être modifiés. Mettez ceux-ci à la place des enregistrements A et AAAA actuels :`,
      until: (day) =>
        `Modifiez-les avant le ${day} : à partir de ce jour, votre site n’est plus accessible aux anciennes adresses. Les domaines avec un enregistrement CNAME ou ALIAS ne changent pas.`,
    },
    records: 'Enregistrements à créer :',
    forward: 'Si quelqu’un d’autre s’occupe de votre DNS, transférez-lui ce message.',
    others: (count) => `Et ${count} de plus ; le tableau de bord les montre tous.`,
    openDomain: 'Ouvrir le domaine',
    openDomains: 'Ouvrir les domaines',
    member: (project) => `Vous recevez ce message en tant que membre de ${project}.`,
    owed: (project) =>
      `Vous recevez ce message parce que vous êtes responsable de ${project}. Il ne peut pas être désactivé.`,
  },
  es: {
    alert: {
      subject: { one: (host) => `Acción necesaria: ${host}`, more: (count) => `Acción necesaria: ${count} dominios` },
      next: 'Seguimos comprobando. En cuanto esté corregido, todo lo demás ocurre automáticamente; no hay que confirmar nada.',
    },
    down: {
      subject: {
        one: (host) => `${host} no está accesible`,
        more: (count) => `${count} dominios no están accesibles`,
      },
      text: {
        one: () => 'Su sitio no está accesible en este dominio desde hace una hora. Esta es la causa:',
        more: () => 'Su sitio no está accesible en estos dominios desde hace una hora. Esta es la causa:',
      },
    },
    reminder: {
      subject: {
        one: (host) => `${host} todavía no está en línea`,
        more: (count) => `${count} dominios todavía no están en línea`,
      },
      text: { one: (host) => `Esto es lo que falta para ${host}:`, more: () => 'Esto es lo que falta:' },
      next: 'Enviamos un recordatorio un día y tres días después de añadir un dominio, y después ninguno más. La página del dominio siempre muestra lo que falta.',
    },
    live: {
      subject: { one: (host) => `${host} está en línea`, more: (count) => `${count} dominios están en línea` },
      text: {
        one: (host) => `Su sitio ya está accesible en https://${host}. Su certificado se renueva automáticamente.`,
        more: () => 'Su sitio ya está accesible en estos dominios. Sus certificados se renuevan automáticamente.',
      },
    },
    restored: {
      subject: {
        one: (host) => `${host} vuelve a funcionar`,
        more: (count) => `${count} dominios vuelven a funcionar`,
      },
      text: {
        one: (host) =>
          `El problema sobre el que le escribimos está resuelto. Su sitio vuelve a estar accesible en https://${host}.`,
        more: () =>
          'El problema sobre el que le escribimos está resuelto. Su sitio vuelve a estar accesible en estos dominios.',
      },
    },
    renewal: {
      subject: {
        one: (host, day) => `El certificado de ${host} caduca el ${day}`,
        more: (count, day) => `Los certificados de ${count} dominios caducan, el primero el ${day}`,
      },
      text: 'El sitio funciona hasta entonces. No podemos renovar el certificado, y los navegadores se niegan a abrir un sitio sin uno válido. Esta es la causa:',
      validUntil: 'Válido hasta',
      next: 'Seguimos intentándolo automáticamente hasta conseguirlo.',
    },
    moved: {
      subject: {
        one: (host) => `${host} ha pasado a otro proyecto`,
        more: (count) => `${count} dominios han pasado a otro proyecto`,
      },
      text: (project) =>
        `Un miembro de otro proyecto demostró con un registro DNS que el dominio es suyo. Ya no pertenece a ${project}, y los visitantes ven el sitio del otro proyecto.`,
      unexpected: (project) =>
        `Si no lo esperaba, una persona que usted no conoce puede cambiar el DNS de su dominio: cambie la contraseña en su proveedor de DNS y añada después el dominio de nuevo a ${project}. Entonces mostramos el registro que lo recupera.`,
    },
    addresses: {
      subject: (count, day) =>
        `Cambie ${spanish(count)} ${count === 1 ? 'registro' : 'registros'} DNS antes del ${day}`,
      text: (day) =>
        `Las direcciones de nuestros servidores cambian el ${day}. Estos dominios usan direcciones fijas, así que hay que cambiar sus registros. Ponga estos en lugar de los registros A y AAAA actuales:`,
      until: (day) =>
        `Cámbielos antes del ${day}: a partir de ese día, su sitio no está accesible en las direcciones antiguas. Los dominios con un registro CNAME o ALIAS no cambian.`,
    },
    records: 'Registros que hay que poner:',
    forward: 'Si otra persona se ocupa de su DNS, reenvíele este mensaje.',
    others: (count) => `Y ${count} más; el panel los muestra todos.`,
    openDomain: 'Abrir el dominio',
    openDomains: 'Abrir los dominios',
    member: (project) => `Recibe este mensaje porque es miembro de ${project}.`,
    owed: (project) => `Recibe este mensaje porque es responsable de ${project}. No se puede desactivar.`,
  },
}
