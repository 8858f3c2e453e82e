interface Predicate {
  readonly name: string;
  /** The label as seen from the target. */
  readonly inverse_label: string;
  /** Derived from links in bodies; cannot be stated by hand. */
  readonly automatic: boolean;
  readonly description: string;
}

/** The predicate of inline links. */
export const REFERS_TO = "refers_to";

const stated = (name: string, inverse_label: string, description: string): Predicate => ({
  name,
  inverse_label,
  automatic: false,
  description,
});

/** Every registered predicate. */
export const predicates: readonly Predicate[] = [
  {
    name: REFERS_TO,
    inverse_label: "referred to by",
    automatic: true,
    description: "The source block has a link to the target.",
  },
  stated("supports", "supported by", "The source gives evidence or reasons for the target."),
  stated("contradicts", "contradicted by", "The source and the target cannot both be right."),
  stated("depends_on", "needed by", "The source holds or works only while the target does."),
  stated("extends", "extended by", "The source adds to what the target says."),
  stated("duplicates", "duplicated by", "The source says the same as the target."),
  stated("supersedes", "superseded by", "The source takes the place of the target."),
  stated("example_of", "has example", "The source shows a case of what the target says in general."),
  stated("related_to", "related to", "The source and the target have to do with each other."),
];

export const predicateNames: readonly string[] = predicates.map(({ name }) => name);
export const statedPredicateNames: readonly string[] = predicates.filter((p) => !p.automatic).map(({ name }) => name);
