// The head of a list whose last column holds the actions of a row; its title is only for screen readers.

export const ListHead = ({ columns, actions }: { columns: readonly string[]; actions: string }) => (
  <thead>
    <tr>
      {columns.map((column) => (
        <th key={column} scope="col">
          {column}
        </th>
      ))}
      <th scope="col">
        <span className="visually-hidden">{actions}</span>
      </th>
    </tr>
  </thead>
)
