/** What a class of requests is called. */
export interface ClassOfRequests {
  readonly requestClassId: string;
  readonly route: string;
}

/**
 * The order of the classes of requests of a run that several generators make. Those of the plan stand first with all
 * of them; those that a scenario comes upon are found by each in an order of its own. Here they keep the place at
 * which they first came, so that what follows can add by place.
 */
export class RouteOrder {
  readonly #routes = new Map<string, ClassOfRequests>();

  /** The members of all lists by class, for every class known so far; none for one that came before and not now. */
  group<Member extends ClassOfRequests>(
    lists: readonly (readonly Member[])[],
  ): readonly { readonly route: ClassOfRequests; readonly members: readonly Member[] }[] {
    const byId = new Map<string, Member[]>();
    for (const id of this.#routes.keys()) byId.set(id, []);
    for (const list of lists) {
      for (const member of list) {
        const { requestClassId, route } = member;
        const members = byId.get(requestClassId);
        if (members !== undefined) {
          members.push(member);
          continue;
        }
        this.#routes.set(requestClassId, { requestClassId, route });
        byId.set(requestClassId, [member]);
      }
    }
    return [...this.#routes].map(([id, route]) => ({ route, members: byId.get(id)! }));
  }
}
