# A provider of OAI-PMH by Catmandu over the records of a file, which is read for each
# request: a line is identifier, datestamp, "1" if it was deleted, and MARCXML, with tabs
# between them. Usage: oai.pl FILE PORT
# (a name that begins with "catmandu" would be read as configuration)
use strict;
use warnings;

package Catmandu::Store::Shelf;
use Catmandu::Sane;
use Moo;
with 'Catmandu::Store';

package Catmandu::Store::Shelf::Bag;
use Catmandu::Sane;
use Catmandu::Hits;
use Moo;
sub generator { sub { undef } }
sub get { }
sub add { }
sub delete { }
sub delete_all { }
sub delete_by_query { }
sub searcher { }
sub translate_cql_query { $_[1] }
sub translate_sru_sortkeys { $_[1] }

sub search {
    my ($self, %args) = @_;
    my $query = $args{query} // '';
    open my $in, '<', $ARGV[0] or die $!;
    my @found;
    while (my $line = <$in>) {
        chomp $line;
        my %r;
        @r{qw(_id datestamp deleted marc)} = split /\t/, $line;
        next if $query =~ /datestamp >= "([^"]+)"/ && $r{datestamp} lt $1;
        next if $query =~ /datestamp <= "([^"]+)"/ && $r{datestamp} gt $1;
        next if $query =~ /_id exact "([^"]+)"/ && $r{_id} ne $1;
        push @found, \%r;
    }
    my ($start, $limit, $total) = ($args{start} // 0, $args{limit} // 10, scalar @found);
    Catmandu::Hits->new(start => $start, limit => $limit, total => $total, hits => [splice @found, $start, $limit]);
}
with 'Catmandu::Bag', 'Catmandu::CQLSearchable';

package main;
use Catmandu;
use Dancer;
use Dancer::Plugin::Catmandu::OAI;

$INC{'Catmandu/Store/Shelf.pm'} = $INC{'Catmandu/Store/Shelf/Bag.pm'} = __FILE__;
my ($file, $port) = @ARGV;
set server => '127.0.0.1';
set port => $port;
set startup_info => 0;
Catmandu->config->{store}{shelf} = {package => 'Shelf'};
oai_provider '/oai',
    store => 'shelf', bag => 'records', datestamp_field => 'datestamp', limit => 3,
    repositoryName => 'Wells County Library', repositoryIdentifier => 'wells.example', adminEmail => 'systems@wells.example',
    earliestDatestamp => '2020-01-01T00:00:00Z', deletedRecord => 'persistent', delimiter => ':', sampleIdentifier => 'oai:wells.example:lc0001',
    deleted => sub { $_[0]{deleted} },
    metadata_formats => [{metadataPrefix => 'marcxml', schema => 'http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd',
        metadataNamespace => 'http://www.loc.gov/MARC21/slim', template => \'[% marc %]'}];
dance;
