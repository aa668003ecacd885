"""What the judge answers at the table: contracts, knocks, going out, hands to practise on."""
