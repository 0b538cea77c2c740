// The picture of the animal that a request is for.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { AnimalPicture } from '../ui/animal-picture.tsx'

export function OrderPicture({ order, size }: { order: ManagedOrder; size: number }) {
  const { slug } = useProject()
  const { data: categories } = useQuery(query('listCategories', { project: slug }))
  return (
    <AnimalPicture
      project={slug}
      cover={order.cover}
      id={order.petId}
      category={categories?.find(({ id }) => id === order.petCategoryId)?.name}
      chosen={order.portrait}
      size={size}
    />
  )
}
