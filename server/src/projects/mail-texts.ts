// The texts of the mails about a project and its members, in the languages that a person can choose.

import type { Role } from '@petstore-platform/contract/platform/operation'
import type { Language } from '@petstore-platform/contract/platform/site'

type Texts = {
  roles: Readonly<Record<Role, string>>
  invitation: {
    subject: string
    heading: (person: string, project: string) => string
    text: (person: string, project: string, role: string) => string
    button: string
    validity: (days: number) => string
    ignore: string
    decline: string
    footer: string
  }
  roleChanged: { subject: (project: string, role: string) => string; text: (project: string, role: string) => string }
  memberRemoved: { subject: (project: string) => string; text: (project: string) => string }
  memberJoined: {
    subject: (person: string, project: string) => string
    text: (person: string, email: string, project: string, role: string) => string
    button: string
  }
  keyCreated: { subject: (project: string) => string; text: (person: string) => string; label: string; button: string }
  projectDeleted: {
    subject: (project: string) => string
    text: (person: string, project: string) => string
    contact: string
  }
  suspended: { subject: (project: string) => string; text: (project: string) => string }
  resumed: { subject: (project: string) => string; text: (project: string) => string }
  /** Where a reply reaches the operator. */
  reply: string
  activity: string
  /** Who did it, if no member did. */
  operator: string
  open: string
  when: string
  owed: string
  optional: (project: string) => string
  turnOff: string
}

export const projectTexts: Readonly<Record<Language, Texts>> = {
  en: {
    roles: { owner: 'owner', admin: 'admin', viewer: 'viewer' },
    invitation: {
      subject: 'An invitation to a store on Petstore',
      heading: (person, project) => `${person} invites you to ${project}`,
      text: (person, project, role) => `${person} would like you to work in ${project}, as ${role}.`,
      button: 'Accept the invitation',
      validity: (days) => `The link works once, for ${days} days, and only for this address.`,
      ignore: 'If you do not know what this is about, ignore this mail: nothing will happen.',
      decline: 'Do not invite me',
      footer: 'You get this mail because a person entered your address at Petstore.',
    },
    roleChanged: {
      subject: (project, role) => `Your role in ${project} is now ${role}`,
      text: (project, role) => `An owner of ${project} has made you ${role}.`,
    },
    memberRemoved: {
      subject: (project) => `You are no longer a member of ${project}`,
      text: (project) => `An owner has removed you from ${project}. You can no longer open it. Your account remains.`,
    },
    memberJoined: {
      subject: (person, project) => `${person} joined ${project}`,
      text: (person, email, project, role) =>
        `${person} (${email}) accepted the invitation, and is ${role} of ${project} now.`,
      button: 'See the members',
    },
    keyCreated: {
      subject: (project) => `A new API key in ${project}`,
      text: (person) =>
        `${person} created an API key. Programs that have it can use the data of the store. If you do not expect this, revoke it.`,
      label: 'Name',
      button: 'See the API keys',
    },
    projectDeleted: {
      subject: (project) => `${project} was deleted`,
      text: (person, project) => `${person} deleted ${project} with everything in it. The site is no longer online.`,
      contact:
        'A deleted store cannot be restored by its members. If this was a mistake, contact the operator of this installation.',
    },
    suspended: {
      subject: (project) => `${project} is suspended`,
      text: (project) =>
        `The operator of this installation has closed the site and the API of ${project}. You can still sign in, read and export everything. The reason is in the activity of the store.`,
    },
    resumed: {
      subject: (project) => `${project} is open again`,
      text: (project) => `The operator of this installation has opened the site and the API of ${project} again.`,
    },
    reply: 'If you reply to this mail, your reply goes to the operator.',
    activity: 'See the activity',
    operator: 'The operator',
    open: 'Open the store',
    when: 'When',
    owed: 'You get this mail because it concerns your access to a store or its security. It cannot be turned off.',
    optional: (project) => `You get this mail because you are a member of ${project}.`,
    turnOff: 'Turn off mails like this one',
  },
  de: {
    roles: { owner: 'Inhaberin oder Inhaber', admin: 'Admin', viewer: 'Mitglied mit Leserecht' },
    invitation: {
      subject: 'Eine Einladung zu einem Laden bei Petstore',
      heading: (person, project) => `${person} lädt Sie zu ${project} ein`,
      text: (person, project, role) => `${person} möchte, dass Sie bei ${project} mitarbeiten, als ${role}.`,
      button: 'Einladung annehmen',
      validity: (days) => `Der Link gilt einmal, ${days} Tage lang und nur für diese Adresse.`,
      ignore: 'Wenn Sie nicht wissen, worum es geht, ignorieren Sie diese E-Mail: Es passiert nichts.',
      decline: 'Nicht mehr einladen',
      footer: 'Sie erhalten diese E-Mail, weil eine Person Ihre Adresse bei Petstore eingegeben hat.',
    },
    roleChanged: {
      subject: (project, role) => `Ihre Rolle bei ${project}: ${role}`,
      text: (project, role) => `Ihre Rolle bei ${project} wurde geändert. Sie sind jetzt ${role}.`,
    },
    memberRemoved: {
      subject: (project) => `Sie sind nicht mehr Mitglied von ${project}`,
      text: (project) =>
        `Sie wurden aus ${project} entfernt und können es nicht mehr öffnen. Ihr Konto bleibt bestehen.`,
    },
    memberJoined: {
      subject: (person, project) => `${person} ist ${project} beigetreten`,
      text: (person, email, project, role) =>
        `${person} (${email}) hat die Einladung zu ${project} angenommen. Rolle: ${role}.`,
      button: 'Mitglieder ansehen',
    },
    keyCreated: {
      subject: (project) => `Ein neuer API-Schlüssel für ${project}`,
      text: (person) =>
        `${person} hat einen API-Schlüssel angelegt. Programme, die ihn haben, können die Daten des Ladens nutzen. Wenn Sie das nicht erwarten, widerrufen Sie ihn.`,
      label: 'Name',
      button: 'API-Schlüssel ansehen',
    },
    projectDeleted: {
      subject: (project) => `${project} wurde gelöscht`,
      text: (person, project) =>
        `${person} hat ${project} mit allem Inhalt gelöscht. Die Website ist nicht mehr online.`,
      contact:
        'Mitglieder können einen gelöschten Laden nicht wiederherstellen. Wenn es ein Versehen war, wenden Sie sich an den Betreiber dieser Installation.',
    },
    suspended: {
      subject: (project) => `${project} ist gesperrt`,
      text: (project) =>
        `Der Betreiber dieser Installation hat die Website und die API von ${project} geschlossen. Sie können sich weiter anmelden, alles lesen und exportieren. Der Grund steht in den Aktivitäten des Ladens.`,
    },
    resumed: {
      subject: (project) => `${project} ist wieder offen`,
      text: (project) =>
        `Der Betreiber dieser Installation hat die Website und die API von ${project} wieder geöffnet.`,
    },
    reply: 'Wenn Sie auf diese E-Mail antworten, geht Ihre Antwort an den Betreiber.',
    activity: 'Aktivitäten ansehen',
    operator: 'Der Betreiber',
    open: 'Laden öffnen',
    when: 'Wann',
    owed: 'Sie erhalten diese E-Mail, weil sie Ihren Zugang zu einem Laden oder dessen Sicherheit betrifft. Sie lässt sich nicht abbestellen.',
    optional: (project) => `Sie erhalten diese E-Mail als Mitglied von ${project}.`,
    turnOff: 'Solche E-Mails abbestellen',
  },
  fr: {
    roles: { owner: 'propriétaire', admin: 'administrateur', viewer: 'membre en lecture seule' },
    invitation: {
      subject: 'Une invitation à une boutique sur Petstore',
      heading: (person, project) => `${person} vous invite à rejoindre ${project}`,
      text: (person, project, role) => `${person} souhaite que vous participiez à ${project}, comme ${role}.`,
      button: 'Accepter l’invitation',
      validity: (days) => `Le lien est valable une fois, pendant ${days} jours, et uniquement pour cette adresse.`,
      ignore: 'Si vous ne savez pas de quoi il s’agit, ignorez ce message : rien ne se passera.',
      decline: 'Ne plus m’inviter',
      footer: 'Vous recevez ce message parce que quelqu’un a saisi votre adresse sur Petstore.',
    },
    roleChanged: {
      subject: (project, role) => `Votre rôle dans ${project} : ${role}`,
      text: (project, role) => `Votre rôle dans ${project} a changé. Vous êtes maintenant ${role}.`,
    },
    memberRemoved: {
      subject: (project) => `Vous n’êtes plus membre de ${project}`,
      text: (project) => `Vous avez été retiré de ${project} et ne pouvez plus l’ouvrir. Votre compte est conservé.`,
    },
    memberJoined: {
      subject: (person, project) => `${person} a rejoint ${project}`,
      text: (person, email, project, role) =>
        `${person} (${email}) a accepté l’invitation à ${project}. Rôle : ${role}.`,
      button: 'Voir les membres',
    },
    keyCreated: {
      subject: (project) => `Une nouvelle clé API dans ${project}`,
      text: (person) =>
        `${person} a créé une clé API. Les programmes qui la possèdent peuvent utiliser les données de la boutique. Si vous ne vous y attendez pas, révoquez-la.`,
      label: 'Nom',
      button: 'Voir les clés API',
    },
    projectDeleted: {
      subject: (project) => `${project} a été supprimé`,
      text: (person, project) => `${person} a supprimé ${project} et tout son contenu. Le site n’est plus en ligne.`,
      contact:
        'Les membres ne peuvent pas restaurer une boutique supprimée. S’il s’agit d’une erreur, contactez l’exploitant de cette installation.',
    },
    suspended: {
      subject: (project) => `${project} est suspendu`,
      text: (project) =>
        `L’exploitant de cette installation a fermé le site et l’API de ${project}. Vous pouvez toujours vous connecter, tout lire et tout exporter. La raison se trouve dans l’activité de la boutique.`,
    },
    resumed: {
      subject: (project) => `${project} est de nouveau ouvert`,
      text: (project) => `L’exploitant de cette installation a rouvert le site et l’API de ${project}.`,
    },
    reply: 'Si vous répondez à ce message, votre réponse est envoyée à l’exploitant.',
    activity: 'Voir l’activité',
    operator: 'L’exploitant',
    open: 'Ouvrir la boutique',
    when: 'Quand',
    owed: 'Vous recevez ce message parce qu’il concerne votre accès à une boutique ou sa sécurité. Il ne peut pas être désactivé.',
    optional: (project) => `Vous recevez ce message parce que vous êtes membre de ${project}.`,
    turnOff: 'Ne plus recevoir de messages comme celui-ci',
  },
  es: {
    roles: { owner: 'propietario', admin: 'administrador', viewer: 'miembro de solo lectura' },
    invitation: {
      subject: 'Una invitación a una tienda en Petstore',
      heading: (person, project) => `${person} le invita a ${project}`,
      text: (person, project, role) => `${person} quiere que participe en ${project}, como ${role}.`,
      button: 'Aceptar la invitación',
      validity: (days) => `El enlace funciona una vez, durante ${days} días, y solo para esta dirección.`,
      ignore: 'Si no sabe de qué se trata, ignore este correo: no pasará nada.',
      decline: 'No invitarme más',
      footer: 'Recibe este correo porque una persona introdujo su dirección en Petstore.',
    },
    roleChanged: {
      subject: (project, role) => `Su función en ${project}: ${role}`,
      text: (project, role) => `Su función en ${project} ha cambiado. Ahora es ${role}.`,
    },
    memberRemoved: {
      subject: (project) => `Ya no es miembro de ${project}`,
      text: (project) => `Se le ha retirado de ${project} y ya no puede abrirlo. Su cuenta se conserva.`,
    },
    memberJoined: {
      subject: (person, project) => `${person} se ha unido a ${project}`,
      text: (person, email, project, role) =>
        `${person} (${email}) ha aceptado la invitación a ${project}. Función: ${role}.`,
      button: 'Ver los miembros',
    },
    keyCreated: {
      subject: (project) => `Una nueva clave API en ${project}`,
      text: (person) =>
        `${person} ha creado una clave API. Los programas que la tengan pueden usar los datos de la tienda. Si no lo esperaba, revóquela.`,
      label: 'Nombre',
      button: 'Ver las claves API',
    },
    projectDeleted: {
      subject: (project) => `${project} se ha eliminado`,
      text: (person, project) =>
        `${person} ha eliminado ${project} con todo su contenido. El sitio ya no está en línea.`,
      contact:
        'Los miembros no pueden restaurar una tienda eliminada. Si ha sido un error, póngase en contacto con el operador de esta instalación.',
    },
    suspended: {
      subject: (project) => `${project} está suspendida`,
      text: (project) =>
        `El operador de esta instalación ha cerrado el sitio y la API de ${project}. Puede seguir iniciando sesión, leer y exportar todo. El motivo está en la actividad de la tienda.`,
    },
    resumed: {
      subject: (project) => `${project} vuelve a estar abierta`,
      text: (project) => `El operador de esta instalación ha vuelto a abrir el sitio y la API de ${project}.`,
    },
    reply: 'Si responde a este correo, su respuesta llega al operador.',
    activity: 'Ver la actividad',
    operator: 'El operador',
    open: 'Abrir la tienda',
    when: 'Cuándo',
    owed: 'Recibe este correo porque afecta a su acceso a una tienda o a su seguridad. No se puede desactivar.',
    optional: (project) => `Recibe este correo porque es miembro de ${project}.`,
    turnOff: 'No recibir más correos como este',
  },
}
