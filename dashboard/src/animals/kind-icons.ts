// An icon for every kind of animal that the name of a category can say.

import { kindOf, type AnimalKind } from '@petstore-platform/contract/portraits'
import { Bird, Cat, Dog, Fish, PawPrint, Rabbit, Squirrel, Turtle, type LucideIcon } from 'lucide-react'

const icons: Record<AnimalKind, LucideIcon> = {
  dog: Dog,
  cat: Cat,
  rabbit: Rabbit,
  bird: Bird,
  parrot: Bird,
  budgie: Bird,
  hen: Bird,
  tortoise: Turtle,
  rodent: Squirrel,
  fish: Fish,
}

export function kindIconOf(category: string): LucideIcon {
  const kind = kindOf(category)
  return kind === undefined ? PawPrint : icons[kind]
}
